/** Drawn by draw-models.ts: what the operations of dynamodb answer. */
export default `
BatchExecuteStatement() @BatchExecuteStatementOutput
BatchGetItem() @BatchGetItemOutput
BatchWriteItem() @BatchWriteItemOutput
CreateBackup() @CreateBackupOutput
CreateGlobalTable() @CreateGlobalTableOutput
CreateTable() @CreateTableOutput
DeleteBackup() @DeleteBackupOutput
DeleteItem() @DeleteItemOutput
DeleteResourcePolicy() @DeleteResourcePolicyOutput
DeleteTable() @DeleteTableOutput
DescribeBackup() @DescribeBackupOutput
DescribeContinuousBackups() @DescribeContinuousBackupsOutput
DescribeContributorInsights() @DescribeContributorInsightsOutput
DescribeEndpoints() @DescribeEndpointsResponse
DescribeExport() @DescribeExportOutput
DescribeGlobalTable() @DescribeGlobalTableOutput
DescribeGlobalTableSettings() @DescribeGlobalTableSettingsOutput
DescribeImport() @DescribeImportOutput
DescribeKinesisStreamingDestination() @DescribeKinesisStreamingDestinationOutput
DescribeLimits() @DescribeLimitsOutput
DescribeTable() @DescribeTableOutput
DescribeTableReplicaAutoScaling() @DescribeTableReplicaAutoScalingOutput
DescribeTimeToLive() @DescribeTimeToLiveOutput
DisableKinesisStreamingDestination() @KinesisStreamingDestinationOutput
EnableKinesisStreamingDestination() @KinesisStreamingDestinationOutput
ExecuteStatement() @ExecuteStatementOutput
ExecuteTransaction() @ExecuteTransactionOutput
ExportTableToPointInTime() @ExportTableToPointInTimeOutput
GetItem() @GetItemOutput
GetResourcePolicy() @GetResourcePolicyOutput
ImportTable() @ImportTableOutput
ListBackups() @ListBackupsOutput
ListContributorInsights() @ListContributorInsightsOutput
ListExports() @ListExportsOutput
ListGlobalTables() @ListGlobalTablesOutput
ListImports() @ListImportsOutput
ListTables() @ListTablesOutput
ListTagsOfResource() @ListTagsOfResourceOutput
PutItem() @PutItemOutput
PutResourcePolicy() @PutResourcePolicyOutput
Query() @QueryOutput
RestoreTableFromBackup() @RestoreTableFromBackupOutput
RestoreTableToPointInTime() @RestoreTableToPointInTimeOutput
Scan() @ScanOutput
TransactGetItems() @TransactGetItemsOutput
TransactWriteItems() @TransactWriteItemsOutput
UpdateContinuousBackups() @UpdateContinuousBackupsOutput
UpdateContributorInsights() @UpdateContributorInsightsOutput
UpdateGlobalTable() @UpdateGlobalTableOutput
UpdateGlobalTableSettings() @UpdateGlobalTableSettingsOutput
UpdateItem() @UpdateItemOutput
UpdateKinesisStreamingDestination() @UpdateKinesisStreamingDestinationOutput
UpdateTable() @UpdateTableOutput
UpdateTableReplicaAutoScaling() @UpdateTableReplicaAutoScalingOutput
UpdateTimeToLive() @UpdateTimeToLiveOutput
BatchExecuteStatementOutput Responses:[@BatchStatementResponse] ConsumedCapacity:[@ConsumedCapacity]
BatchStatementResponse Error:@BatchStatementError TableName:s3..255 Item:{@AttributeValue}
BatchStatementError Code:@BatchStatementErrorCodeEnum Message:s Item:{@AttributeValue}
BatchStatementErrorCodeEnum = ConditionalCheckFailed ItemCollectionSizeLimitExceeded RequestLimitExceeded ValidationError ProvisionedThroughputExceeded TransactionConflict ThrottlingError InternalServerError ResourceNotFound AccessDenied DuplicateItem
AttributeValue S:s N:s B:s SS:[s] NS:[s] BS:[s] M:{@AttributeValue} L:[@AttributeValue] NULL:b BOOL:b
ConsumedCapacity TableName:s1..1024 CapacityUnits:n ReadCapacityUnits:n WriteCapacityUnits:n Table:@Capacity LocalSecondaryIndexes:{@Capacity} GlobalSecondaryIndexes:{@Capacity}
Capacity ReadCapacityUnits:n WriteCapacityUnits:n CapacityUnits:n
BatchGetItemOutput Responses:{[{@AttributeValue}]} UnprocessedKeys:{@KeysAndAttributes} ConsumedCapacity:[@ConsumedCapacity]
KeysAndAttributes Keys!:[{@AttributeValue}] AttributesToGet:[s..65535] ConsistentRead:b ProjectionExpression:s ExpressionAttributeNames:{s..65535}
BatchWriteItemOutput UnprocessedItems:{[@WriteRequest]} ItemCollectionMetrics:{[@ItemCollectionMetrics]} ConsumedCapacity:[@ConsumedCapacity]
WriteRequest PutRequest:@PutRequest DeleteRequest:@DeleteRequest
PutRequest Item!:{@AttributeValue}
DeleteRequest Key!:{@AttributeValue}
ItemCollectionMetrics ItemCollectionKey:{@AttributeValue} SizeEstimateRangeGB:[n]
CreateBackupOutput BackupDetails:@BackupDetails
BackupDetails BackupArn!:s37..1024 BackupName!:s3..255 BackupSizeBytes:n0.. BackupStatus!:@BackupStatus BackupType!:@BackupType BackupCreationDateTime!:s BackupExpiryDateTime:s
BackupStatus = CREATING DELETED AVAILABLE
BackupType = USER SYSTEM AWS_BACKUP
CreateGlobalTableOutput GlobalTableDescription:@GlobalTableDescription
GlobalTableDescription ReplicationGroup:[@ReplicaDescription] GlobalTableArn:s CreationDateTime:s GlobalTableStatus:@GlobalTableStatus GlobalTableName:s3..255
ReplicaDescription RegionName:s ReplicaStatus:@ReplicaStatus ReplicaStatusDescription:s ReplicaStatusPercentProgress:s KMSMasterKeyId:s ProvisionedThroughputOverride:@ProvisionedThroughputOverride OnDemandThroughputOverride:@OnDemandThroughputOverride WarmThroughput:@TableWarmThroughputDescription GlobalSecondaryIndexes:[@ReplicaGlobalSecondaryIndexDescription] ReplicaInaccessibleDateTime:s ReplicaTableClassSummary:@TableClassSummary
ReplicaStatus = CREATING CREATION_FAILED UPDATING DELETING ACTIVE REGION_DISABLED INACCESSIBLE_ENCRYPTION_CREDENTIALS ARCHIVING ARCHIVED REPLICATION_NOT_AUTHORIZED
ProvisionedThroughputOverride ReadCapacityUnits:n1..
OnDemandThroughputOverride MaxReadRequestUnits:n
TableWarmThroughputDescription ReadUnitsPerSecond:n1.. WriteUnitsPerSecond:n1.. Status:@TableStatus
TableStatus = CREATING UPDATING DELETING ACTIVE INACCESSIBLE_ENCRYPTION_CREDENTIALS ARCHIVING ARCHIVED REPLICATION_NOT_AUTHORIZED
ReplicaGlobalSecondaryIndexDescription IndexName:s3..255 ProvisionedThroughputOverride:@ProvisionedThroughputOverride OnDemandThroughputOverride:@OnDemandThroughputOverride WarmThroughput:@GlobalSecondaryIndexWarmThroughputDescription
GlobalSecondaryIndexWarmThroughputDescription ReadUnitsPerSecond:n1.. WriteUnitsPerSecond:n1.. Status:@IndexStatus
IndexStatus = CREATING UPDATING DELETING ACTIVE
TableClassSummary TableClass:@TableClass LastUpdateDateTime:s
TableClass = STANDARD STANDARD_INFREQUENT_ACCESS
GlobalTableStatus = CREATING ACTIVE DELETING UPDATING
CreateTableOutput TableDescription:@TableDescription
TableDescription AttributeDefinitions:[@AttributeDefinition] TableName:s3..255 KeySchema:[@KeySchemaElement] TableStatus:@TableStatus CreationDateTime:s ProvisionedThroughput:@ProvisionedThroughputDescription TableSizeBytes:n ItemCount:n TableArn:s TableId:s BillingModeSummary:@BillingModeSummary LocalSecondaryIndexes:[@LocalSecondaryIndexDescription] GlobalSecondaryIndexes:[@GlobalSecondaryIndexDescription] StreamSpecification:@StreamSpecification LatestStreamLabel:s LatestStreamArn:s37..1024 GlobalTableVersion:s Replicas:[@ReplicaDescription] GlobalTableWitnesses:[@GlobalTableWitnessDescription] RestoreSummary:@RestoreSummary SSEDescription:@SSEDescription ArchivalSummary:@ArchivalSummary TableClassSummary:@TableClassSummary DeletionProtectionEnabled:b OnDemandThroughput:@OnDemandThroughput WarmThroughput:@TableWarmThroughputDescription MultiRegionConsistency:@MultiRegionConsistency
AttributeDefinition AttributeName!:s1..255 AttributeType!:@ScalarAttributeType
ScalarAttributeType = S N B
KeySchemaElement AttributeName!:s1..255 KeyType!:@KeyType
KeyType = HASH RANGE
ProvisionedThroughputDescription LastIncreaseDateTime:s LastDecreaseDateTime:s NumberOfDecreasesToday:n1.. ReadCapacityUnits:n0.. WriteCapacityUnits:n0..
BillingModeSummary BillingMode:@BillingMode LastUpdateToPayPerRequestDateTime:s
BillingMode = PROVISIONED PAY_PER_REQUEST
LocalSecondaryIndexDescription IndexName:s3..255 KeySchema:[@KeySchemaElement] Projection:@Projection IndexSizeBytes:n ItemCount:n IndexArn:s
Projection ProjectionType:@ProjectionType NonKeyAttributes:[s1..255]
ProjectionType = ALL KEYS_ONLY INCLUDE
GlobalSecondaryIndexDescription IndexName:s3..255 KeySchema:[@KeySchemaElement] Projection:@Projection IndexStatus:@IndexStatus Backfilling:b ProvisionedThroughput:@ProvisionedThroughputDescription IndexSizeBytes:n ItemCount:n IndexArn:s OnDemandThroughput:@OnDemandThroughput WarmThroughput:@GlobalSecondaryIndexWarmThroughputDescription
OnDemandThroughput MaxReadRequestUnits:n MaxWriteRequestUnits:n
StreamSpecification StreamEnabled!:b StreamViewType:@StreamViewType
StreamViewType = NEW_IMAGE OLD_IMAGE NEW_AND_OLD_IMAGES KEYS_ONLY
GlobalTableWitnessDescription RegionName:s WitnessStatus:@WitnessStatus
WitnessStatus = CREATING DELETING ACTIVE
RestoreSummary SourceBackupArn:s37..1024 SourceTableArn:s1..1024 RestoreDateTime!:s RestoreInProgress!:b
SSEDescription Status:@SSEStatus SSEType:@SSEType KMSMasterKeyArn:s InaccessibleEncryptionDateTime:s
SSEStatus = ENABLING ENABLED DISABLING DISABLED UPDATING
SSEType = AES256 KMS
ArchivalSummary ArchivalDateTime:s ArchivalReason:s ArchivalBackupArn:s37..1024
MultiRegionConsistency = EVENTUAL STRONG
DeleteBackupOutput BackupDescription:@BackupDescription
BackupDescription BackupDetails:@BackupDetails SourceTableDetails:@SourceTableDetails SourceTableFeatureDetails:@SourceTableFeatureDetails
SourceTableDetails TableName!:s3..255 TableId!:s TableArn:s1..1024 TableSizeBytes:n KeySchema!:[@KeySchemaElement] TableCreationDateTime!:s ProvisionedThroughput!:@ProvisionedThroughput OnDemandThroughput:@OnDemandThroughput ItemCount:n0.. BillingMode:@BillingMode
ProvisionedThroughput ReadCapacityUnits!:n1.. WriteCapacityUnits!:n1..
SourceTableFeatureDetails LocalSecondaryIndexes:[@LocalSecondaryIndexInfo] GlobalSecondaryIndexes:[@GlobalSecondaryIndexInfo] StreamDescription:@StreamSpecification TimeToLiveDescription:@TimeToLiveDescription SSEDescription:@SSEDescription
LocalSecondaryIndexInfo IndexName:s3..255 KeySchema:[@KeySchemaElement] Projection:@Projection
GlobalSecondaryIndexInfo IndexName:s3..255 KeySchema:[@KeySchemaElement] Projection:@Projection ProvisionedThroughput:@ProvisionedThroughput OnDemandThroughput:@OnDemandThroughput
TimeToLiveDescription TimeToLiveStatus:@TimeToLiveStatus AttributeName:s1..255
TimeToLiveStatus = ENABLING DISABLING ENABLED DISABLED
DeleteItemOutput Attributes:{@AttributeValue} ConsumedCapacity:@ConsumedCapacity ItemCollectionMetrics:@ItemCollectionMetrics
DeleteResourcePolicyOutput RevisionId:s1..255
DeleteTableOutput TableDescription:@TableDescription
DescribeBackupOutput BackupDescription:@BackupDescription
DescribeContinuousBackupsOutput ContinuousBackupsDescription:@ContinuousBackupsDescription
ContinuousBackupsDescription ContinuousBackupsStatus!:@ContinuousBackupsStatus PointInTimeRecoveryDescription:@PointInTimeRecoveryDescription
ContinuousBackupsStatus = ENABLED DISABLED
PointInTimeRecoveryDescription PointInTimeRecoveryStatus:@PointInTimeRecoveryStatus RecoveryPeriodInDays:n1..35 EarliestRestorableDateTime:s LatestRestorableDateTime:s
PointInTimeRecoveryStatus = ENABLED DISABLED
DescribeContributorInsightsOutput TableName:s3..255 IndexName:s3..255 ContributorInsightsRuleList:[s] ContributorInsightsStatus:@ContributorInsightsStatus LastUpdateDateTime:s FailureException:@FailureException ContributorInsightsMode:@ContributorInsightsMode
ContributorInsightsStatus = ENABLING ENABLED DISABLING DISABLED FAILED
FailureException ExceptionName:s ExceptionDescription:s
ContributorInsightsMode = ACCESSED_AND_THROTTLED_KEYS THROTTLED_KEYS
DescribeEndpointsResponse Endpoints!:[@Endpoint]
Endpoint Address!:s CachePeriodInMinutes!:n
DescribeExportOutput ExportDescription:@ExportDescription
ExportDescription ExportArn:s37..1024 ExportStatus:@ExportStatus StartTime:s EndTime:s ExportManifest:s TableArn:s1..1024 TableId:s ExportTime:s ClientToken:s S3Bucket:s..255 S3BucketOwner:s S3Prefix:s..1024 S3SseAlgorithm:@S3SseAlgorithm S3SseKmsKeyId:s1..2048 FailureCode:s FailureMessage:s ExportFormat:@ExportFormat BilledSizeBytes:n0.. ItemCount:n0.. ExportType:@ExportType IncrementalExportSpecification:@IncrementalExportSpecification
ExportStatus = IN_PROGRESS COMPLETED FAILED
S3SseAlgorithm = AES256 KMS
ExportFormat = DYNAMODB_JSON ION
ExportType = FULL_EXPORT INCREMENTAL_EXPORT
IncrementalExportSpecification ExportFromTime:s ExportToTime:s ExportViewType:@ExportViewType
ExportViewType = NEW_IMAGE NEW_AND_OLD_IMAGES
DescribeGlobalTableOutput GlobalTableDescription:@GlobalTableDescription
DescribeGlobalTableSettingsOutput GlobalTableName:s3..255 ReplicaSettings:[@ReplicaSettingsDescription]
ReplicaSettingsDescription RegionName!:s ReplicaStatus:@ReplicaStatus ReplicaBillingModeSummary:@BillingModeSummary ReplicaProvisionedReadCapacityUnits:n0.. ReplicaProvisionedReadCapacityAutoScalingSettings:@AutoScalingSettingsDescription ReplicaProvisionedWriteCapacityUnits:n0.. ReplicaProvisionedWriteCapacityAutoScalingSettings:@AutoScalingSettingsDescription ReplicaGlobalSecondaryIndexSettings:[@ReplicaGlobalSecondaryIndexSettingsDescription] ReplicaTableClassSummary:@TableClassSummary
AutoScalingSettingsDescription MinimumUnits:n1.. MaximumUnits:n1.. AutoScalingDisabled:b AutoScalingRoleArn:s ScalingPolicies:[@AutoScalingPolicyDescription]
AutoScalingPolicyDescription PolicyName:s1..256 TargetTrackingScalingPolicyConfiguration:@AutoScalingTargetTrackingScalingPolicyConfigurationDescription
AutoScalingTargetTrackingScalingPolicyConfigurationDescription DisableScaleIn:b ScaleInCooldown:n ScaleOutCooldown:n TargetValue!:n
ReplicaGlobalSecondaryIndexSettingsDescription IndexName!:s3..255 IndexStatus:@IndexStatus ProvisionedReadCapacityUnits:n1.. ProvisionedReadCapacityAutoScalingSettings:@AutoScalingSettingsDescription ProvisionedWriteCapacityUnits:n1.. ProvisionedWriteCapacityAutoScalingSettings:@AutoScalingSettingsDescription
DescribeImportOutput ImportTableDescription!:@ImportTableDescription
ImportTableDescription ImportArn:s37..1024 ImportStatus:@ImportStatus TableArn:s1..1024 TableId:s ClientToken:s S3BucketSource:@S3BucketSource ErrorCount:n0.. CloudWatchLogGroupArn:s1..1024 InputFormat:@InputFormat InputFormatOptions:@InputFormatOptions InputCompressionType:@InputCompressionType TableCreationParameters:@TableCreationParameters StartTime:s EndTime:s ProcessedSizeBytes:n ProcessedItemCount:n0.. ImportedItemCount:n0.. FailureCode:s FailureMessage:s
ImportStatus = IN_PROGRESS COMPLETED CANCELLING CANCELLED FAILED
S3BucketSource S3BucketOwner:s S3Bucket!:s..255 S3KeyPrefix:s..1024
InputFormat = DYNAMODB_JSON ION CSV
InputFormatOptions Csv:@CsvOptions
CsvOptions Delimiter:s1..1 HeaderList:[s1..65536]
InputCompressionType = GZIP ZSTD NONE
TableCreationParameters TableName!:s3..255 AttributeDefinitions!:[@AttributeDefinition] KeySchema!:[@KeySchemaElement] BillingMode:@BillingMode ProvisionedThroughput:@ProvisionedThroughput OnDemandThroughput:@OnDemandThroughput SSESpecification:@SSESpecification GlobalSecondaryIndexes:[@GlobalSecondaryIndex]
SSESpecification Enabled:b SSEType:@SSEType KMSMasterKeyId:s
GlobalSecondaryIndex IndexName!:s3..255 KeySchema!:[@KeySchemaElement] Projection!:@Projection ProvisionedThroughput:@ProvisionedThroughput OnDemandThroughput:@OnDemandThroughput WarmThroughput:@WarmThroughput
WarmThroughput ReadUnitsPerSecond:n WriteUnitsPerSecond:n
DescribeKinesisStreamingDestinationOutput TableName:s3..255 KinesisDataStreamDestinations:[@KinesisDataStreamDestination]
KinesisDataStreamDestination StreamArn:s37..1024 DestinationStatus:@DestinationStatus DestinationStatusDescription:s ApproximateCreationDateTimePrecision:@ApproximateCreationDateTimePrecision
DestinationStatus = ENABLING ACTIVE DISABLING DISABLED ENABLE_FAILED UPDATING
ApproximateCreationDateTimePrecision = MILLISECOND MICROSECOND
DescribeLimitsOutput AccountMaxReadCapacityUnits:n1.. AccountMaxWriteCapacityUnits:n1.. TableMaxReadCapacityUnits:n1.. TableMaxWriteCapacityUnits:n1..
DescribeTableOutput Table:@TableDescription
DescribeTableReplicaAutoScalingOutput TableAutoScalingDescription:@TableAutoScalingDescription
TableAutoScalingDescription TableName:s3..255 TableStatus:@TableStatus Replicas:[@ReplicaAutoScalingDescription]
ReplicaAutoScalingDescription RegionName:s GlobalSecondaryIndexes:[@ReplicaGlobalSecondaryIndexAutoScalingDescription] ReplicaProvisionedReadCapacityAutoScalingSettings:@AutoScalingSettingsDescription ReplicaProvisionedWriteCapacityAutoScalingSettings:@AutoScalingSettingsDescription ReplicaStatus:@ReplicaStatus
ReplicaGlobalSecondaryIndexAutoScalingDescription IndexName:s3..255 IndexStatus:@IndexStatus ProvisionedReadCapacityAutoScalingSettings:@AutoScalingSettingsDescription ProvisionedWriteCapacityAutoScalingSettings:@AutoScalingSettingsDescription
DescribeTimeToLiveOutput TimeToLiveDescription:@TimeToLiveDescription
KinesisStreamingDestinationOutput TableName:s3..255 StreamArn:s37..1024 DestinationStatus:@DestinationStatus EnableKinesisStreamingConfiguration:@EnableKinesisStreamingConfiguration
EnableKinesisStreamingConfiguration ApproximateCreationDateTimePrecision:@ApproximateCreationDateTimePrecision
ExecuteStatementOutput Items:[{@AttributeValue}] NextToken:s1..32768 ConsumedCapacity:@ConsumedCapacity LastEvaluatedKey:{@AttributeValue}
ExecuteTransactionOutput Responses:[@ItemResponse] ConsumedCapacity:[@ConsumedCapacity]
ItemResponse Item:{@AttributeValue}
ExportTableToPointInTimeOutput ExportDescription:@ExportDescription
GetItemOutput Item:{@AttributeValue} ConsumedCapacity:@ConsumedCapacity
GetResourcePolicyOutput Policy:s RevisionId:s1..255
ImportTableOutput ImportTableDescription!:@ImportTableDescription
ListBackupsOutput BackupSummaries:[@BackupSummary] LastEvaluatedBackupArn:s37..1024
BackupSummary TableName:s3..255 TableId:s TableArn:s1..1024 BackupArn:s37..1024 BackupName:s3..255 BackupCreationDateTime:s BackupExpiryDateTime:s BackupStatus:@BackupStatus BackupType:@BackupType BackupSizeBytes:n0..
ListContributorInsightsOutput ContributorInsightsSummaries:[@ContributorInsightsSummary] NextToken:s
ContributorInsightsSummary TableName:s3..255 IndexName:s3..255 ContributorInsightsStatus:@ContributorInsightsStatus ContributorInsightsMode:@ContributorInsightsMode
ListExportsOutput ExportSummaries:[@ExportSummary] NextToken:s
ExportSummary ExportArn:s37..1024 ExportStatus:@ExportStatus ExportType:@ExportType
ListGlobalTablesOutput GlobalTables:[@GlobalTable] LastEvaluatedGlobalTableName:s3..255
GlobalTable GlobalTableName:s3..255 ReplicationGroup:[@Replica]
Replica RegionName:s
ListImportsOutput ImportSummaryList:[@ImportSummary] NextToken:s112..1024
ImportSummary ImportArn:s37..1024 ImportStatus:@ImportStatus TableArn:s1..1024 S3BucketSource:@S3BucketSource CloudWatchLogGroupArn:s1..1024 InputFormat:@InputFormat StartTime:s EndTime:s
ListTablesOutput TableNames:[s3..255] LastEvaluatedTableName:s3..255
ListTagsOfResourceOutput Tags:[@Tag] NextToken:s
Tag Key!:s1..128 Value!:s0..256
PutItemOutput Attributes:{@AttributeValue} ConsumedCapacity:@ConsumedCapacity ItemCollectionMetrics:@ItemCollectionMetrics
PutResourcePolicyOutput RevisionId:s1..255
QueryOutput Items:[{@AttributeValue}] Count:n ScannedCount:n LastEvaluatedKey:{@AttributeValue} ConsumedCapacity:@ConsumedCapacity
RestoreTableFromBackupOutput TableDescription:@TableDescription
RestoreTableToPointInTimeOutput TableDescription:@TableDescription
ScanOutput Items:[{@AttributeValue}] Count:n ScannedCount:n LastEvaluatedKey:{@AttributeValue} ConsumedCapacity:@ConsumedCapacity
TransactGetItemsOutput ConsumedCapacity:[@ConsumedCapacity] Responses:[@ItemResponse]
TransactWriteItemsOutput ConsumedCapacity:[@ConsumedCapacity] ItemCollectionMetrics:{[@ItemCollectionMetrics]}
UpdateContinuousBackupsOutput ContinuousBackupsDescription:@ContinuousBackupsDescription
UpdateContributorInsightsOutput TableName:s3..255 IndexName:s3..255 ContributorInsightsStatus:@ContributorInsightsStatus ContributorInsightsMode:@ContributorInsightsMode
UpdateGlobalTableOutput GlobalTableDescription:@GlobalTableDescription
UpdateGlobalTableSettingsOutput GlobalTableName:s3..255 ReplicaSettings:[@ReplicaSettingsDescription]
UpdateItemOutput Attributes:{@AttributeValue} ConsumedCapacity:@ConsumedCapacity ItemCollectionMetrics:@ItemCollectionMetrics
UpdateKinesisStreamingDestinationOutput TableName:s3..255 StreamArn:s37..1024 DestinationStatus:@DestinationStatus UpdateKinesisStreamingConfiguration:@UpdateKinesisStreamingConfiguration
UpdateKinesisStreamingConfiguration ApproximateCreationDateTimePrecision:@ApproximateCreationDateTimePrecision
UpdateTableOutput TableDescription:@TableDescription
UpdateTableReplicaAutoScalingOutput TableAutoScalingDescription:@TableAutoScalingDescription
UpdateTimeToLiveOutput TimeToLiveSpecification:@TimeToLiveSpecification
TimeToLiveSpecification Enabled!:b AttributeName!:s1..255
`;
