/** Drawn by draw-models.ts: what the operations of kinesis answer. */
export default `
DescribeLimits() @DescribeLimitsOutput
DescribeStream() @DescribeStreamOutput
DescribeStreamConsumer() @DescribeStreamConsumerOutput
DescribeStreamSummary() @DescribeStreamSummaryOutput
DisableEnhancedMonitoring() @EnhancedMonitoringOutput
EnableEnhancedMonitoring() @EnhancedMonitoringOutput
GetRecords() @GetRecordsOutput
GetResourcePolicy() @GetResourcePolicyOutput
GetShardIterator() @GetShardIteratorOutput
ListShards() @ListShardsOutput
ListStreamConsumers() @ListStreamConsumersOutput
ListStreams() @ListStreamsOutput
ListTagsForResource() @ListTagsForResourceOutput
ListTagsForStream() @ListTagsForStreamOutput
PutRecord() @PutRecordOutput
PutRecords() @PutRecordsOutput
RegisterStreamConsumer() @RegisterStreamConsumerOutput
SubscribeToShard() @SubscribeToShardOutput
UpdateShardCount() @UpdateShardCountOutput
DescribeLimitsOutput ShardLimit!:n0..1000000 OpenShardCount!:n0..1000000 OnDemandStreamCount!:n0..1000000 OnDemandStreamCountLimit!:n0..1000000
DescribeStreamOutput StreamDescription!:@StreamDescription
StreamDescription StreamName!:s1..128 StreamARN!:s1..2048 StreamStatus!:@StreamStatus StreamModeDetails:@StreamModeDetails Shards!:[@Shard] HasMoreShards!:b RetentionPeriodHours!:n StreamCreationTimestamp!:s EnhancedMonitoring!:[@EnhancedMetrics] EncryptionType:@EncryptionType KeyId:s1..2048
StreamStatus = CREATING DELETING ACTIVE UPDATING
StreamModeDetails StreamMode!:@StreamMode
StreamMode = PROVISIONED ON_DEMAND
Shard ShardId!:s1..128 ParentShardId:s1..128 AdjacentParentShardId:s1..128 HashKeyRange!:@HashKeyRange SequenceNumberRange!:@SequenceNumberRange
HashKeyRange StartingHashKey!:s EndingHashKey!:s
SequenceNumberRange StartingSequenceNumber!:s EndingSequenceNumber:s
EnhancedMetrics ShardLevelMetrics:[@MetricsName]
MetricsName = IncomingBytes IncomingRecords OutgoingBytes OutgoingRecords WriteProvisionedThroughputExceeded ReadProvisionedThroughputExceeded IteratorAgeMilliseconds ALL
EncryptionType = NONE KMS
DescribeStreamConsumerOutput ConsumerDescription!:@ConsumerDescription
ConsumerDescription ConsumerName!:s1..128 ConsumerARN!:s1..2048 ConsumerStatus!:@ConsumerStatus ConsumerCreationTimestamp!:s StreamARN!:s1..2048
ConsumerStatus = CREATING DELETING ACTIVE
DescribeStreamSummaryOutput StreamDescriptionSummary!:@StreamDescriptionSummary
StreamDescriptionSummary StreamName!:s1..128 StreamARN!:s1..2048 StreamStatus!:@StreamStatus StreamModeDetails:@StreamModeDetails RetentionPeriodHours!:n StreamCreationTimestamp!:s EnhancedMonitoring!:[@EnhancedMetrics] EncryptionType:@EncryptionType KeyId:s1..2048 OpenShardCount!:n0..1000000 ConsumerCount:n0..1000000
EnhancedMonitoringOutput StreamName:s1..128 CurrentShardLevelMetrics:[@MetricsName] DesiredShardLevelMetrics:[@MetricsName] StreamARN:s1..2048
GetRecordsOutput Records!:[@Record] NextShardIterator:s1..512 MillisBehindLatest:n0.. ChildShards:[@ChildShard]
Record SequenceNumber!:s ApproximateArrivalTimestamp:s Data!:s0..1048576 PartitionKey!:s1..256 EncryptionType:@EncryptionType
ChildShard ShardId!:s1..128 ParentShards!:[s1..128] HashKeyRange!:@HashKeyRange
GetResourcePolicyOutput Policy!:s
GetShardIteratorOutput ShardIterator:s1..512
ListShardsOutput Shards:[@Shard] NextToken:s1..1048576
ListStreamConsumersOutput Consumers:[@Consumer] NextToken:s1..1048576
Consumer ConsumerName!:s1..128 ConsumerARN!:s1..2048 ConsumerStatus!:@ConsumerStatus ConsumerCreationTimestamp!:s
ListStreamsOutput StreamNames!:[s1..128] HasMoreStreams!:b NextToken:s1..1048576 StreamSummaries:[@StreamSummary]
StreamSummary StreamName!:s1..128 StreamARN!:s1..2048 StreamStatus!:@StreamStatus StreamModeDetails:@StreamModeDetails StreamCreationTimestamp:s
ListTagsForResourceOutput Tags:[@Tag]
Tag Key!:s1..128 Value:s0..256
ListTagsForStreamOutput Tags!:[@Tag] HasMoreTags!:b
PutRecordOutput ShardId!:s1..128 SequenceNumber!:s EncryptionType:@EncryptionType
PutRecordsOutput FailedRecordCount:n1.. Records!:[@PutRecordsResultEntry] EncryptionType:@EncryptionType
PutRecordsResultEntry SequenceNumber:s ShardId:s1..128 ErrorCode:s ErrorMessage:s
RegisterStreamConsumerOutput Consumer!:@Consumer
SubscribeToShardOutput EventStream!:*
UpdateShardCountOutput StreamName:s1..128 CurrentShardCount:n1.. TargetShardCount:n1.. StreamARN:s1..2048
`;
