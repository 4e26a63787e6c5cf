/** Drawn by draw-models.ts: what the operations of s3 answer. */
export default `
AbortMultipartUpload() @AbortMultipartUploadOutput
CompleteMultipartUpload() @CompleteMultipartUploadOutput
CopyObject() @CopyObjectOutput
CreateBucket() @CreateBucketOutput
CreateMultipartUpload() @CreateMultipartUploadOutput
CreateSession() @CreateSessionOutput
DeleteObject() @DeleteObjectOutput
DeleteObjectTagging() @DeleteObjectTaggingOutput
DeleteObjects() @DeleteObjectsOutput
GetBucketAccelerateConfiguration() @GetBucketAccelerateConfigurationOutput
GetBucketAcl() @GetBucketAclOutput
GetBucketAnalyticsConfiguration() @GetBucketAnalyticsConfigurationOutput
GetBucketCors() @GetBucketCorsOutput
GetBucketEncryption() @GetBucketEncryptionOutput
GetBucketIntelligentTieringConfiguration() @GetBucketIntelligentTieringConfigurationOutput
GetBucketInventoryConfiguration() @GetBucketInventoryConfigurationOutput
GetBucketLifecycle() @GetBucketLifecycleOutput
GetBucketLifecycleConfiguration() @GetBucketLifecycleConfigurationOutput
GetBucketLocation() @GetBucketLocationOutput
GetBucketLogging() @GetBucketLoggingOutput
GetBucketMetadataConfiguration() @GetBucketMetadataConfigurationOutput
GetBucketMetadataTableConfiguration() @GetBucketMetadataTableConfigurationOutput
GetBucketMetricsConfiguration() @GetBucketMetricsConfigurationOutput
GetBucketNotification() @NotificationConfigurationDeprecated
GetBucketNotificationConfiguration() @NotificationConfiguration
GetBucketOwnershipControls() @GetBucketOwnershipControlsOutput
GetBucketPolicy() @GetBucketPolicyOutput
GetBucketPolicyStatus() @GetBucketPolicyStatusOutput
GetBucketReplication() @GetBucketReplicationOutput
GetBucketRequestPayment() @GetBucketRequestPaymentOutput
GetBucketTagging() @GetBucketTaggingOutput
GetBucketVersioning() @GetBucketVersioningOutput
GetBucketWebsite() @GetBucketWebsiteOutput
GetObject() @GetObjectOutput
GetObjectAcl() @GetObjectAclOutput
GetObjectAttributes() @GetObjectAttributesOutput
GetObjectLegalHold() @GetObjectLegalHoldOutput
GetObjectLockConfiguration() @GetObjectLockConfigurationOutput
GetObjectRetention() @GetObjectRetentionOutput
GetObjectTagging() @GetObjectTaggingOutput
GetObjectTorrent() @GetObjectTorrentOutput
GetPublicAccessBlock() @GetPublicAccessBlockOutput
HeadBucket() @HeadBucketOutput
HeadObject() @HeadObjectOutput
ListBucketAnalyticsConfigurations() @ListBucketAnalyticsConfigurationsOutput
ListBucketIntelligentTieringConfigurations() @ListBucketIntelligentTieringConfigurationsOutput
ListBucketInventoryConfigurations() @ListBucketInventoryConfigurationsOutput
ListBucketMetricsConfigurations() @ListBucketMetricsConfigurationsOutput
ListBuckets() @ListBucketsOutput
ListDirectoryBuckets() @ListDirectoryBucketsOutput
ListMultipartUploads() @ListMultipartUploadsOutput
ListObjectVersions() @ListObjectVersionsOutput
ListObjects() @ListObjectsOutput
ListObjectsV2() @ListObjectsV2Output
ListParts() @ListPartsOutput
PutBucketLifecycleConfiguration() @PutBucketLifecycleConfigurationOutput
PutObject() @PutObjectOutput
PutObjectAcl() @PutObjectAclOutput
PutObjectLegalHold() @PutObjectLegalHoldOutput
PutObjectLockConfiguration() @PutObjectLockConfigurationOutput
PutObjectRetention() @PutObjectRetentionOutput
PutObjectTagging() @PutObjectTaggingOutput
RenameObject() @RenameObjectOutput
RestoreObject() @RestoreObjectOutput
SelectObjectContent() @SelectObjectContentOutput
UploadPart() @UploadPartOutput
UploadPartCopy() @UploadPartCopyOutput
AbortMultipartUploadOutput RequestCharged:@RequestCharged
RequestCharged = requester
CompleteMultipartUploadOutput Location:s Bucket:s Key:s1.. Expiration:s ETag:s ChecksumCRC32:s ChecksumCRC32C:s ChecksumCRC64NVME:s ChecksumSHA1:s ChecksumSHA256:s ChecksumType:@ChecksumType ServerSideEncryption:@ServerSideEncryption VersionId:s SSEKMSKeyId:s BucketKeyEnabled:b RequestCharged:@RequestCharged
ChecksumType = COMPOSITE FULL_OBJECT
ServerSideEncryption = AES256 aws:fsx aws:kms aws:kms:dsse
CopyObjectOutput CopyObjectResult:@CopyObjectResult Expiration:s CopySourceVersionId:s VersionId:s ServerSideEncryption:@ServerSideEncryption SSECustomerAlgorithm:s SSECustomerKeyMD5:s SSEKMSKeyId:s SSEKMSEncryptionContext:s BucketKeyEnabled:b RequestCharged:@RequestCharged
CopyObjectResult ETag:s LastModified:s ChecksumType:@ChecksumType ChecksumCRC32:s ChecksumCRC32C:s ChecksumCRC64NVME:s ChecksumSHA1:s ChecksumSHA256:s
CreateBucketOutput Location:s BucketArn:s1..128
CreateMultipartUploadOutput AbortDate:s AbortRuleId:s Bucket:s Key:s1.. UploadId:s ServerSideEncryption:@ServerSideEncryption SSECustomerAlgorithm:s SSECustomerKeyMD5:s SSEKMSKeyId:s SSEKMSEncryptionContext:s BucketKeyEnabled:b RequestCharged:@RequestCharged ChecksumAlgorithm:@ChecksumAlgorithm ChecksumType:@ChecksumType
ChecksumAlgorithm = CRC32 CRC32C SHA1 SHA256 CRC64NVME
CreateSessionOutput ServerSideEncryption:@ServerSideEncryption SSEKMSKeyId:s SSEKMSEncryptionContext:s BucketKeyEnabled:b Credentials!:@SessionCredentials
SessionCredentials AccessKeyId!:s SecretAccessKey!:s SessionToken!:s Expiration!:s
DeleteObjectOutput DeleteMarker:b VersionId:s RequestCharged:@RequestCharged
DeleteObjectTaggingOutput VersionId:s
DeleteObjectsOutput Deleted:[@DeletedObject] RequestCharged:@RequestCharged Errors:[@Error]
DeletedObject Key:s1.. VersionId:s DeleteMarker:b DeleteMarkerVersionId:s
Error Key:s1.. VersionId:s Code:s Message:s
GetBucketAccelerateConfigurationOutput Status:@BucketAccelerateStatus RequestCharged:@RequestCharged
BucketAccelerateStatus = Enabled Suspended
GetBucketAclOutput Owner:@Owner Grants:[@Grant]
Owner DisplayName:s ID:s
Grant Grantee:@Grantee Permission:@Permission
Grantee DisplayName:s EmailAddress:s ID:s Type!:@Type URI:s
Type = CanonicalUser AmazonCustomerByEmail Group
Permission = FULL_CONTROL WRITE WRITE_ACP READ READ_ACP
GetBucketAnalyticsConfigurationOutput AnalyticsConfiguration:@AnalyticsConfiguration
AnalyticsConfiguration Id!:s Filter:@AnalyticsFilter StorageClassAnalysis!:@StorageClassAnalysis
AnalyticsFilter Prefix:s Tag:@Tag And:@AnalyticsAndOperator
Tag Key!:s1.. Value!:s
AnalyticsAndOperator Prefix:s Tags:[@Tag]
StorageClassAnalysis DataExport:@StorageClassAnalysisDataExport
StorageClassAnalysisDataExport OutputSchemaVersion!:@StorageClassAnalysisSchemaVersion Destination!:@AnalyticsExportDestination
StorageClassAnalysisSchemaVersion = V_1
AnalyticsExportDestination S3BucketDestination!:@AnalyticsS3BucketDestination
AnalyticsS3BucketDestination Format!:@AnalyticsS3ExportFileFormat BucketAccountId:s Bucket!:s Prefix:s
AnalyticsS3ExportFileFormat = CSV
GetBucketCorsOutput CORSRules:[@CORSRule]
CORSRule ID:s AllowedHeaders:[s] AllowedMethods!:[s] AllowedOrigins!:[s] ExposeHeaders:[s] MaxAgeSeconds:n
GetBucketEncryptionOutput ServerSideEncryptionConfiguration:@ServerSideEncryptionConfiguration
ServerSideEncryptionConfiguration Rules!:[@ServerSideEncryptionRule]
ServerSideEncryptionRule ApplyServerSideEncryptionByDefault:@ServerSideEncryptionByDefault BucketKeyEnabled:b
ServerSideEncryptionByDefault SSEAlgorithm!:@ServerSideEncryption KMSMasterKeyID:s
GetBucketIntelligentTieringConfigurationOutput IntelligentTieringConfiguration:@IntelligentTieringConfiguration
IntelligentTieringConfiguration Id!:s Filter:@IntelligentTieringFilter Status!:@IntelligentTieringStatus Tierings!:[@Tiering]
IntelligentTieringFilter Prefix:s Tag:@Tag And:@IntelligentTieringAndOperator
IntelligentTieringAndOperator Prefix:s Tags:[@Tag]
IntelligentTieringStatus = Enabled Disabled
Tiering Days!:n AccessTier!:@IntelligentTieringAccessTier
IntelligentTieringAccessTier = ARCHIVE_ACCESS DEEP_ARCHIVE_ACCESS
GetBucketInventoryConfigurationOutput InventoryConfiguration:@InventoryConfiguration
InventoryConfiguration Destination!:@InventoryDestination IsEnabled!:b Filter:@InventoryFilter Id!:s IncludedObjectVersions!:@InventoryIncludedObjectVersions OptionalFields:[@InventoryOptionalField] Schedule!:@InventorySchedule
InventoryDestination S3BucketDestination!:@InventoryS3BucketDestination
InventoryS3BucketDestination AccountId:s Bucket!:s Format!:@InventoryFormat Prefix:s Encryption:@InventoryEncryption
InventoryFormat = CSV ORC Parquet
InventoryEncryption SSES3:@SSES3 SSEKMS:@SSEKMS
SSES3 
SSEKMS KeyId!:s
InventoryFilter Prefix!:s
InventoryIncludedObjectVersions = All Current
InventoryOptionalField = Size LastModifiedDate StorageClass ETag IsMultipartUploaded ReplicationStatus EncryptionStatus ObjectLockRetainUntilDate ObjectLockMode ObjectLockLegalHoldStatus IntelligentTieringAccessTier BucketKeyStatus ChecksumAlgorithm ObjectAccessControlList ObjectOwner
InventorySchedule Frequency!:@InventoryFrequency
InventoryFrequency = Daily Weekly
GetBucketLifecycleOutput Rules:[@Rule]
Rule Expiration:@LifecycleExpiration ID:s Prefix!:s Status!:@ExpirationStatus Transition:@Transition NoncurrentVersionTransition:@NoncurrentVersionTransition NoncurrentVersionExpiration:@NoncurrentVersionExpiration AbortIncompleteMultipartUpload:@AbortIncompleteMultipartUpload
LifecycleExpiration Date:s Days:n ExpiredObjectDeleteMarker:b
ExpirationStatus = Enabled Disabled
Transition Date:s Days:n StorageClass:@TransitionStorageClass
TransitionStorageClass = GLACIER STANDARD_IA ONEZONE_IA INTELLIGENT_TIERING DEEP_ARCHIVE GLACIER_IR
NoncurrentVersionTransition NoncurrentDays:n StorageClass:@TransitionStorageClass NewerNoncurrentVersions:n
NoncurrentVersionExpiration NoncurrentDays:n NewerNoncurrentVersions:n
AbortIncompleteMultipartUpload DaysAfterInitiation:n
GetBucketLifecycleConfigurationOutput Rules:[@LifecycleRule] TransitionDefaultMinimumObjectSize:@TransitionDefaultMinimumObjectSize
LifecycleRule Expiration:@LifecycleExpiration ID:s Prefix:s Filter:@LifecycleRuleFilter Status!:@ExpirationStatus Transitions:[@Transition] NoncurrentVersionTransitions:[@NoncurrentVersionTransition] NoncurrentVersionExpiration:@NoncurrentVersionExpiration AbortIncompleteMultipartUpload:@AbortIncompleteMultipartUpload
LifecycleRuleFilter Prefix:s Tag:@Tag ObjectSizeGreaterThan:n ObjectSizeLessThan:n And:@LifecycleRuleAndOperator
LifecycleRuleAndOperator Prefix:s Tags:[@Tag] ObjectSizeGreaterThan:n ObjectSizeLessThan:n
TransitionDefaultMinimumObjectSize = varies_by_storage_class all_storage_classes_128K
GetBucketLocationOutput LocationConstraint:@BucketLocationConstraint
BucketLocationConstraint = af-south-1 ap-east-1 ap-northeast-1 ap-northeast-2 ap-northeast-3 ap-south-1 ap-south-2 ap-southeast-1 ap-southeast-2 ap-southeast-3 ap-southeast-4 ap-southeast-5 ca-central-1 cn-north-1 cn-northwest-1 EU eu-central-1 eu-central-2 eu-north-1 eu-south-1 eu-south-2 eu-west-1 eu-west-2 eu-west-3 il-central-1 me-central-1 me-south-1 sa-east-1 us-east-2 us-gov-east-1 us-gov-west-1 us-west-1 us-west-2
GetBucketLoggingOutput LoggingEnabled:@LoggingEnabled
LoggingEnabled TargetBucket!:s TargetGrants:[@TargetGrant] TargetPrefix!:s TargetObjectKeyFormat:@TargetObjectKeyFormat
TargetGrant Grantee:@Grantee Permission:@BucketLogsPermission
BucketLogsPermission = FULL_CONTROL READ WRITE
TargetObjectKeyFormat SimplePrefix:@SimplePrefix PartitionedPrefix:@PartitionedPrefix
SimplePrefix 
PartitionedPrefix PartitionDateSource:@PartitionDateSource
PartitionDateSource = EventTime DeliveryTime
GetBucketMetadataConfigurationOutput GetBucketMetadataConfigurationResult:@GetBucketMetadataConfigurationResult
GetBucketMetadataConfigurationResult MetadataConfigurationResult!:@MetadataConfigurationResult
MetadataConfigurationResult DestinationResult!:@DestinationResult JournalTableConfigurationResult:@JournalTableConfigurationResult InventoryTableConfigurationResult:@InventoryTableConfigurationResult
DestinationResult TableBucketType:@S3TablesBucketType TableBucketArn:s TableNamespace:s
S3TablesBucketType = aws customer
JournalTableConfigurationResult TableStatus!:s Error:@ErrorDetails TableName!:s TableArn:s RecordExpiration!:@RecordExpiration
ErrorDetails ErrorCode:s ErrorMessage:s
RecordExpiration Expiration!:@ExpirationState Days:n
ExpirationState = ENABLED DISABLED
InventoryTableConfigurationResult ConfigurationState!:@InventoryConfigurationState TableStatus:s Error:@ErrorDetails TableName:s TableArn:s
InventoryConfigurationState = ENABLED DISABLED
GetBucketMetadataTableConfigurationOutput GetBucketMetadataTableConfigurationResult:@GetBucketMetadataTableConfigurationResult
GetBucketMetadataTableConfigurationResult MetadataTableConfigurationResult!:@MetadataTableConfigurationResult Status!:s Error:@ErrorDetails
MetadataTableConfigurationResult S3TablesDestinationResult!:@S3TablesDestinationResult
S3TablesDestinationResult TableBucketArn!:s TableName!:s TableArn!:s TableNamespace!:s
GetBucketMetricsConfigurationOutput MetricsConfiguration:@MetricsConfiguration
MetricsConfiguration Id!:s Filter:@MetricsFilter
MetricsFilter Prefix:s Tag:@Tag AccessPointArn:s And:@MetricsAndOperator
MetricsAndOperator Prefix:s Tags:[@Tag] AccessPointArn:s
NotificationConfigurationDeprecated TopicConfiguration:@TopicConfigurationDeprecated QueueConfiguration:@QueueConfigurationDeprecated CloudFunctionConfiguration:@CloudFunctionConfiguration
TopicConfigurationDeprecated Id:s Events:[@Event] Event:@Event Topic:s
Event = s3:ReducedRedundancyLostObject s3:ObjectCreated:* s3:ObjectCreated:Put s3:ObjectCreated:Post s3:ObjectCreated:Copy s3:ObjectCreated:CompleteMultipartUpload s3:ObjectRemoved:* s3:ObjectRemoved:Delete s3:ObjectRemoved:DeleteMarkerCreated s3:ObjectRestore:* s3:ObjectRestore:Post s3:ObjectRestore:Completed s3:Replication:* s3:Replication:OperationFailedReplication s3:Replication:OperationNotTracked s3:Replication:OperationMissedThreshold s3:Replication:OperationReplicatedAfterThreshold s3:ObjectRestore:Delete s3:LifecycleTransition s3:IntelligentTiering s3:ObjectAcl:Put s3:LifecycleExpiration:* s3:LifecycleExpiration:Delete s3:LifecycleExpiration:DeleteMarkerCreated s3:ObjectTagging:* s3:ObjectTagging:Put s3:ObjectTagging:Delete
QueueConfigurationDeprecated Id:s Event:@Event Events:[@Event] Queue:s
CloudFunctionConfiguration Id:s Event:@Event Events:[@Event] CloudFunction:s InvocationRole:s
NotificationConfiguration TopicConfigurations:[@TopicConfiguration] QueueConfigurations:[@QueueConfiguration] LambdaFunctionConfigurations:[@LambdaFunctionConfiguration] EventBridgeConfiguration:@EventBridgeConfiguration
TopicConfiguration Id:s TopicArn!:s Events!:[@Event] Filter:@NotificationConfigurationFilter
NotificationConfigurationFilter Key:@S3KeyFilter
S3KeyFilter FilterRules:[@FilterRule]
FilterRule Name:@FilterRuleName Value:s
FilterRuleName = prefix suffix
QueueConfiguration Id:s QueueArn!:s Events!:[@Event] Filter:@NotificationConfigurationFilter
LambdaFunctionConfiguration Id:s LambdaFunctionArn!:s Events!:[@Event] Filter:@NotificationConfigurationFilter
EventBridgeConfiguration 
GetBucketOwnershipControlsOutput OwnershipControls:@OwnershipControls
OwnershipControls Rules!:[@OwnershipControlsRule]
OwnershipControlsRule ObjectOwnership!:@ObjectOwnership
ObjectOwnership = BucketOwnerPreferred ObjectWriter BucketOwnerEnforced
GetBucketPolicyOutput Policy:s
GetBucketPolicyStatusOutput PolicyStatus:@PolicyStatus
PolicyStatus IsPublic:b
GetBucketReplicationOutput ReplicationConfiguration:@ReplicationConfiguration
ReplicationConfiguration Role!:s Rules!:[@ReplicationRule]
ReplicationRule ID:s Priority:n Prefix:s Filter:@ReplicationRuleFilter Status!:@ReplicationRuleStatus SourceSelectionCriteria:@SourceSelectionCriteria ExistingObjectReplication:@ExistingObjectReplication Destination!:@Destination DeleteMarkerReplication:@DeleteMarkerReplication
ReplicationRuleFilter Prefix:s Tag:@Tag And:@ReplicationRuleAndOperator
ReplicationRuleAndOperator Prefix:s Tags:[@Tag]
ReplicationRuleStatus = Enabled Disabled
SourceSelectionCriteria SseKmsEncryptedObjects:@SseKmsEncryptedObjects ReplicaModifications:@ReplicaModifications
SseKmsEncryptedObjects Status!:@SseKmsEncryptedObjectsStatus
SseKmsEncryptedObjectsStatus = Enabled Disabled
ReplicaModifications Status!:@ReplicaModificationsStatus
ReplicaModificationsStatus = Enabled Disabled
ExistingObjectReplication Status!:@ExistingObjectReplicationStatus
ExistingObjectReplicationStatus = Enabled Disabled
Destination Bucket!:s Account:s StorageClass:@StorageClass AccessControlTranslation:@AccessControlTranslation EncryptionConfiguration:@EncryptionConfiguration ReplicationTime:@ReplicationTime Metrics:@Metrics
StorageClass = STANDARD REDUCED_REDUNDANCY STANDARD_IA ONEZONE_IA INTELLIGENT_TIERING GLACIER DEEP_ARCHIVE OUTPOSTS GLACIER_IR SNOW EXPRESS_ONEZONE FSX_OPENZFS
AccessControlTranslation Owner!:@OwnerOverride
OwnerOverride = Destination
EncryptionConfiguration ReplicaKmsKeyID:s
ReplicationTime Status!:@ReplicationTimeStatus Time!:@ReplicationTimeValue
ReplicationTimeStatus = Enabled Disabled
ReplicationTimeValue Minutes:n
Metrics Status!:@MetricsStatus EventThreshold:@ReplicationTimeValue
MetricsStatus = Enabled Disabled
DeleteMarkerReplication Status:@DeleteMarkerReplicationStatus
DeleteMarkerReplicationStatus = Enabled Disabled
GetBucketRequestPaymentOutput Payer:@Payer
Payer = Requester BucketOwner
GetBucketTaggingOutput TagSet!:[@Tag]
GetBucketVersioningOutput Status:@BucketVersioningStatus MFADelete:@MFADeleteStatus
BucketVersioningStatus = Enabled Suspended
MFADeleteStatus = Enabled Disabled
GetBucketWebsiteOutput RedirectAllRequestsTo:@RedirectAllRequestsTo IndexDocument:@IndexDocument ErrorDocument:@ErrorDocument RoutingRules:[@RoutingRule]
RedirectAllRequestsTo HostName!:s Protocol:@Protocol
Protocol = http https
IndexDocument Suffix!:s
ErrorDocument Key!:s1..
RoutingRule Condition:@Condition Redirect!:@Redirect
Condition HttpErrorCodeReturnedEquals:s KeyPrefixEquals:s
Redirect HostName:s HttpRedirectCode:s Protocol:@Protocol ReplaceKeyPrefixWith:s ReplaceKeyWith:s
GetObjectOutput Body:s DeleteMarker:b AcceptRanges:s Expiration:s Restore:s LastModified:s ContentLength:n ETag:s ChecksumCRC32:s ChecksumCRC32C:s ChecksumCRC64NVME:s ChecksumSHA1:s ChecksumSHA256:s ChecksumType:@ChecksumType MissingMeta:n VersionId:s CacheControl:s ContentDisposition:s ContentEncoding:s ContentLanguage:s ContentRange:s ContentType:s Expires:s WebsiteRedirectLocation:s ServerSideEncryption:@ServerSideEncryption Metadata:{s} SSECustomerAlgorithm:s SSECustomerKeyMD5:s SSEKMSKeyId:s BucketKeyEnabled:b StorageClass:@StorageClass RequestCharged:@RequestCharged ReplicationStatus:@ReplicationStatus PartsCount:n TagCount:n ObjectLockMode:@ObjectLockMode ObjectLockRetainUntilDate:s ObjectLockLegalHoldStatus:@ObjectLockLegalHoldStatus
ReplicationStatus = COMPLETE PENDING FAILED REPLICA COMPLETED
ObjectLockMode = GOVERNANCE COMPLIANCE
ObjectLockLegalHoldStatus = ON OFF
GetObjectAclOutput Owner:@Owner Grants:[@Grant] RequestCharged:@RequestCharged
GetObjectAttributesOutput DeleteMarker:b LastModified:s VersionId:s RequestCharged:@RequestCharged ETag:s Checksum:@Checksum ObjectParts:@GetObjectAttributesParts StorageClass:@StorageClass ObjectSize:n
Checksum ChecksumCRC32:s ChecksumCRC32C:s ChecksumCRC64NVME:s ChecksumSHA1:s ChecksumSHA256:s ChecksumType:@ChecksumType
GetObjectAttributesParts TotalPartsCount:n PartNumberMarker:n NextPartNumberMarker:n MaxParts:n IsTruncated:b Parts:[@ObjectPart]
ObjectPart PartNumber:n Size:n ChecksumCRC32:s ChecksumCRC32C:s ChecksumCRC64NVME:s ChecksumSHA1:s ChecksumSHA256:s
GetObjectLegalHoldOutput LegalHold:@ObjectLockLegalHold
ObjectLockLegalHold Status:@ObjectLockLegalHoldStatus
GetObjectLockConfigurationOutput ObjectLockConfiguration:@ObjectLockConfiguration
ObjectLockConfiguration ObjectLockEnabled:@ObjectLockEnabled Rule:@ObjectLockRule
ObjectLockEnabled = Enabled
ObjectLockRule DefaultRetention:@DefaultRetention
DefaultRetention Mode:@ObjectLockRetentionMode Days:n Years:n
ObjectLockRetentionMode = GOVERNANCE COMPLIANCE
GetObjectRetentionOutput Retention:@ObjectLockRetention
ObjectLockRetention Mode:@ObjectLockRetentionMode RetainUntilDate:s
GetObjectTaggingOutput VersionId:s TagSet!:[@Tag]
GetObjectTorrentOutput Body:s RequestCharged:@RequestCharged
GetPublicAccessBlockOutput PublicAccessBlockConfiguration:@PublicAccessBlockConfiguration
PublicAccessBlockConfiguration BlockPublicAcls:b IgnorePublicAcls:b BlockPublicPolicy:b RestrictPublicBuckets:b
HeadBucketOutput BucketArn:s1..128 BucketLocationType:@LocationType BucketLocationName:s BucketRegion:s0..20 AccessPointAlias:b
LocationType = AvailabilityZone LocalZone
HeadObjectOutput DeleteMarker:b AcceptRanges:s Expiration:s Restore:s ArchiveStatus:@ArchiveStatus LastModified:s ContentLength:n ChecksumCRC32:s ChecksumCRC32C:s ChecksumCRC64NVME:s ChecksumSHA1:s ChecksumSHA256:s ChecksumType:@ChecksumType ETag:s MissingMeta:n VersionId:s CacheControl:s ContentDisposition:s ContentEncoding:s ContentLanguage:s ContentType:s ContentRange:s Expires:s WebsiteRedirectLocation:s ServerSideEncryption:@ServerSideEncryption Metadata:{s} SSECustomerAlgorithm:s SSECustomerKeyMD5:s SSEKMSKeyId:s BucketKeyEnabled:b StorageClass:@StorageClass RequestCharged:@RequestCharged ReplicationStatus:@ReplicationStatus PartsCount:n TagCount:n ObjectLockMode:@ObjectLockMode ObjectLockRetainUntilDate:s ObjectLockLegalHoldStatus:@ObjectLockLegalHoldStatus
ArchiveStatus = ARCHIVE_ACCESS DEEP_ARCHIVE_ACCESS
ListBucketAnalyticsConfigurationsOutput IsTruncated:b ContinuationToken:s NextContinuationToken:s AnalyticsConfigurationList:[@AnalyticsConfiguration]
ListBucketIntelligentTieringConfigurationsOutput IsTruncated:b ContinuationToken:s NextContinuationToken:s IntelligentTieringConfigurationList:[@IntelligentTieringConfiguration]
ListBucketInventoryConfigurationsOutput ContinuationToken:s InventoryConfigurationList:[@InventoryConfiguration] IsTruncated:b NextContinuationToken:s
ListBucketMetricsConfigurationsOutput IsTruncated:b ContinuationToken:s NextContinuationToken:s MetricsConfigurationList:[@MetricsConfiguration]
ListBucketsOutput Buckets:[@Bucket] Owner:@Owner ContinuationToken:s Prefix:s
Bucket Name:s CreationDate:s BucketRegion:s BucketArn:s1..128
ListDirectoryBucketsOutput Buckets:[@Bucket] ContinuationToken:s0..1024
ListMultipartUploadsOutput Bucket:s KeyMarker:s UploadIdMarker:s NextKeyMarker:s Prefix:s Delimiter:s NextUploadIdMarker:s MaxUploads:n IsTruncated:b Uploads:[@MultipartUpload] CommonPrefixes:[@CommonPrefix] EncodingType:@EncodingType RequestCharged:@RequestCharged
MultipartUpload UploadId:s Key:s1.. Initiated:s StorageClass:@StorageClass Owner:@Owner Initiator:@Initiator ChecksumAlgorithm:@ChecksumAlgorithm ChecksumType:@ChecksumType
Initiator ID:s DisplayName:s
CommonPrefix Prefix:s
EncodingType = url
ListObjectVersionsOutput IsTruncated:b KeyMarker:s VersionIdMarker:s NextKeyMarker:s NextVersionIdMarker:s Versions:[@ObjectVersion] DeleteMarkers:[@DeleteMarkerEntry] Name:s Prefix:s Delimiter:s MaxKeys:n CommonPrefixes:[@CommonPrefix] EncodingType:@EncodingType RequestCharged:@RequestCharged
ObjectVersion ETag:s ChecksumAlgorithm:[@ChecksumAlgorithm] ChecksumType:@ChecksumType Size:n StorageClass:@ObjectVersionStorageClass Key:s1.. VersionId:s IsLatest:b LastModified:s Owner:@Owner RestoreStatus:@RestoreStatus
ObjectVersionStorageClass = STANDARD
RestoreStatus IsRestoreInProgress:b RestoreExpiryDate:s
DeleteMarkerEntry Owner:@Owner Key:s1.. VersionId:s IsLatest:b LastModified:s
ListObjectsOutput IsTruncated:b Marker:s NextMarker:s Contents:[@Object] Name:s Prefix:s Delimiter:s MaxKeys:n CommonPrefixes:[@CommonPrefix] EncodingType:@EncodingType RequestCharged:@RequestCharged
Object Key:s1.. LastModified:s ETag:s ChecksumAlgorithm:[@ChecksumAlgorithm] ChecksumType:@ChecksumType Size:n StorageClass:@ObjectStorageClass Owner:@Owner RestoreStatus:@RestoreStatus
ObjectStorageClass = STANDARD REDUCED_REDUNDANCY GLACIER STANDARD_IA ONEZONE_IA INTELLIGENT_TIERING DEEP_ARCHIVE OUTPOSTS GLACIER_IR SNOW EXPRESS_ONEZONE FSX_OPENZFS
ListObjectsV2Output IsTruncated:b Contents:[@Object] Name:s Prefix:s Delimiter:s MaxKeys:n CommonPrefixes:[@CommonPrefix] EncodingType:@EncodingType KeyCount:n ContinuationToken:s NextContinuationToken:s StartAfter:s RequestCharged:@RequestCharged
ListPartsOutput AbortDate:s AbortRuleId:s Bucket:s Key:s1.. UploadId:s PartNumberMarker:n NextPartNumberMarker:n MaxParts:n IsTruncated:b Parts:[@Part] Initiator:@Initiator Owner:@Owner StorageClass:@StorageClass RequestCharged:@RequestCharged ChecksumAlgorithm:@ChecksumAlgorithm ChecksumType:@ChecksumType
Part PartNumber:n LastModified:s ETag:s Size:n ChecksumCRC32:s ChecksumCRC32C:s ChecksumCRC64NVME:s ChecksumSHA1:s ChecksumSHA256:s
PutBucketLifecycleConfigurationOutput TransitionDefaultMinimumObjectSize:@TransitionDefaultMinimumObjectSize
PutObjectOutput Expiration:s ETag:s ChecksumCRC32:s ChecksumCRC32C:s ChecksumCRC64NVME:s ChecksumSHA1:s ChecksumSHA256:s ChecksumType:@ChecksumType ServerSideEncryption:@ServerSideEncryption VersionId:s SSECustomerAlgorithm:s SSECustomerKeyMD5:s SSEKMSKeyId:s SSEKMSEncryptionContext:s BucketKeyEnabled:b Size:n RequestCharged:@RequestCharged
PutObjectAclOutput RequestCharged:@RequestCharged
PutObjectLegalHoldOutput RequestCharged:@RequestCharged
PutObjectLockConfigurationOutput RequestCharged:@RequestCharged
PutObjectRetentionOutput RequestCharged:@RequestCharged
PutObjectTaggingOutput VersionId:s
RenameObjectOutput 
RestoreObjectOutput RequestCharged:@RequestCharged RestoreOutputPath:s
SelectObjectContentOutput Payload:*
UploadPartOutput ServerSideEncryption:@ServerSideEncryption ETag:s ChecksumCRC32:s ChecksumCRC32C:s ChecksumCRC64NVME:s ChecksumSHA1:s ChecksumSHA256:s SSECustomerAlgorithm:s SSECustomerKeyMD5:s SSEKMSKeyId:s BucketKeyEnabled:b RequestCharged:@RequestCharged
UploadPartCopyOutput CopySourceVersionId:s CopyPartResult:@CopyPartResult ServerSideEncryption:@ServerSideEncryption SSECustomerAlgorithm:s SSECustomerKeyMD5:s SSEKMSKeyId:s BucketKeyEnabled:b RequestCharged:@RequestCharged
CopyPartResult ETag:s LastModified:s ChecksumCRC32:s ChecksumCRC32C:s ChecksumCRC64NVME:s ChecksumSHA1:s ChecksumSHA256:s
`;
