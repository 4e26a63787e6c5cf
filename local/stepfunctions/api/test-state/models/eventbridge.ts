/** Drawn by draw-models.ts: what the operations of eventbridge answer. */
export default `
CancelReplay() @CancelReplayResponse
CreateApiDestination() @CreateApiDestinationResponse
CreateArchive() @CreateArchiveResponse
CreateConnection() @CreateConnectionResponse
CreateEndpoint() @CreateEndpointResponse
CreateEventBus() @CreateEventBusResponse
CreatePartnerEventSource() @CreatePartnerEventSourceResponse
DeauthorizeConnection() @DeauthorizeConnectionResponse
DeleteApiDestination() @DeleteApiDestinationResponse
DeleteArchive() @DeleteArchiveResponse
DeleteConnection() @DeleteConnectionResponse
DeleteEndpoint() @DeleteEndpointResponse
DescribeApiDestination() @DescribeApiDestinationResponse
DescribeArchive() @DescribeArchiveResponse
DescribeConnection() @DescribeConnectionResponse
DescribeEndpoint() @DescribeEndpointResponse
DescribeEventBus() @DescribeEventBusResponse
DescribeEventSource() @DescribeEventSourceResponse
DescribePartnerEventSource() @DescribePartnerEventSourceResponse
DescribeReplay() @DescribeReplayResponse
DescribeRule() @DescribeRuleResponse
ListApiDestinations() @ListApiDestinationsResponse
ListArchives() @ListArchivesResponse
ListConnections() @ListConnectionsResponse
ListEndpoints() @ListEndpointsResponse
ListEventBuses() @ListEventBusesResponse
ListEventSources() @ListEventSourcesResponse
ListPartnerEventSourceAccounts() @ListPartnerEventSourceAccountsResponse
ListPartnerEventSources() @ListPartnerEventSourcesResponse
ListReplays() @ListReplaysResponse
ListRuleNamesByTarget() @ListRuleNamesByTargetResponse
ListRules() @ListRulesResponse
ListTagsForResource() @ListTagsForResourceResponse
ListTargetsByRule() @ListTargetsByRuleResponse
PutEvents() @PutEventsResponse
PutPartnerEvents() @PutPartnerEventsResponse
PutRule() @PutRuleResponse
PutTargets() @PutTargetsResponse
RemoveTargets() @RemoveTargetsResponse
StartReplay() @StartReplayResponse
TagResource() @TagResourceResponse
TestEventPattern() @TestEventPatternResponse
UntagResource() @UntagResourceResponse
UpdateApiDestination() @UpdateApiDestinationResponse
UpdateArchive() @UpdateArchiveResponse
UpdateConnection() @UpdateConnectionResponse
UpdateEndpoint() @UpdateEndpointResponse
UpdateEventBus() @UpdateEventBusResponse
CancelReplayResponse ReplayArn:s1..1600 State:@ReplayState StateReason:s..512
ReplayState = STARTING RUNNING CANCELLING COMPLETED CANCELLED FAILED
CreateApiDestinationResponse ApiDestinationArn:s1..1600 ApiDestinationState:@ApiDestinationState CreationTime:s LastModifiedTime:s
ApiDestinationState = ACTIVE INACTIVE
CreateArchiveResponse ArchiveArn:s1..1600 State:@ArchiveState StateReason:s..512 CreationTime:s
ArchiveState = ENABLED DISABLED CREATING UPDATING CREATE_FAILED UPDATE_FAILED
CreateConnectionResponse ConnectionArn:s1..1600 ConnectionState:@ConnectionState CreationTime:s LastModifiedTime:s
ConnectionState = CREATING UPDATING DELETING AUTHORIZED DEAUTHORIZED AUTHORIZING DEAUTHORIZING ACTIVE FAILED_CONNECTIVITY
CreateEndpointResponse Name:s1..64 Arn:s1..1600 RoutingConfig:@RoutingConfig ReplicationConfig:@ReplicationConfig EventBuses:[@EndpointEventBus] RoleArn:s1..256 State:@EndpointState
RoutingConfig FailoverConfig!:@FailoverConfig
FailoverConfig Primary!:@Primary Secondary!:@Secondary
Primary HealthCheck!:s1..1600
Secondary Route!:s9..20
ReplicationConfig State:@ReplicationState
ReplicationState = ENABLED DISABLED
EndpointEventBus EventBusArn!:s1..512
EndpointState = ACTIVE CREATING UPDATING DELETING CREATE_FAILED UPDATE_FAILED DELETE_FAILED
CreateEventBusResponse EventBusArn:s Description:s..512 KmsKeyIdentifier:s..2048 DeadLetterConfig:@DeadLetterConfig LogConfig:@LogConfig
DeadLetterConfig Arn:s1..1600
LogConfig IncludeDetail:@IncludeDetail Level:@Level
IncludeDetail = NONE FULL
Level = OFF ERROR INFO TRACE
CreatePartnerEventSourceResponse EventSourceArn:s
DeauthorizeConnectionResponse ConnectionArn:s1..1600 ConnectionState:@ConnectionState CreationTime:s LastModifiedTime:s LastAuthorizedTime:s
DeleteApiDestinationResponse 
DeleteArchiveResponse 
DeleteConnectionResponse ConnectionArn:s1..1600 ConnectionState:@ConnectionState CreationTime:s LastModifiedTime:s LastAuthorizedTime:s
DeleteEndpointResponse 
DescribeApiDestinationResponse ApiDestinationArn:s1..1600 Name:s1..64 Description:s..512 ApiDestinationState:@ApiDestinationState ConnectionArn:s1..1600 InvocationEndpoint:s1..2048 HttpMethod:@ApiDestinationHttpMethod InvocationRateLimitPerSecond:n1.. CreationTime:s LastModifiedTime:s
ApiDestinationHttpMethod = POST GET HEAD OPTIONS PUT PATCH DELETE
DescribeArchiveResponse ArchiveArn:s1..1600 ArchiveName:s1..48 EventSourceArn:s1..1600 Description:s..512 EventPattern:s..4096 State:@ArchiveState StateReason:s..512 KmsKeyIdentifier:s..2048 RetentionDays:n0.. SizeBytes:n EventCount:n CreationTime:s
DescribeConnectionResponse ConnectionArn:s1..1600 Name:s1..64 Description:s..512 InvocationConnectivityParameters:@DescribeConnectionConnectivityParameters ConnectionState:@ConnectionState StateReason:s..512 AuthorizationType:@ConnectionAuthorizationType SecretArn:s20..2048 KmsKeyIdentifier:s..2048 AuthParameters:@ConnectionAuthResponseParameters CreationTime:s LastModifiedTime:s LastAuthorizedTime:s
DescribeConnectionConnectivityParameters ResourceParameters!:@DescribeConnectionResourceParameters
DescribeConnectionResourceParameters ResourceConfigurationArn!:s0..2048 ResourceAssociationArn!:s17..2048
ConnectionAuthorizationType = BASIC OAUTH_CLIENT_CREDENTIALS API_KEY
ConnectionAuthResponseParameters BasicAuthParameters:@ConnectionBasicAuthResponseParameters OAuthParameters:@ConnectionOAuthResponseParameters ApiKeyAuthParameters:@ConnectionApiKeyAuthResponseParameters InvocationHttpParameters:@ConnectionHttpParameters ConnectivityParameters:@DescribeConnectionConnectivityParameters
ConnectionBasicAuthResponseParameters Username:s1..512
ConnectionOAuthResponseParameters ClientParameters:@ConnectionOAuthClientResponseParameters AuthorizationEndpoint:s1..2048 HttpMethod:@ConnectionOAuthHttpMethod OAuthHttpParameters:@ConnectionHttpParameters
ConnectionOAuthClientResponseParameters ClientID:s1..512
ConnectionOAuthHttpMethod = GET POST PUT
ConnectionHttpParameters HeaderParameters:[@ConnectionHeaderParameter] QueryStringParameters:[@ConnectionQueryStringParameter] BodyParameters:[@ConnectionBodyParameter]
ConnectionHeaderParameter Key:s..512 Value:s..512 IsValueSecret:b
ConnectionQueryStringParameter Key:s..512 Value:s..512 IsValueSecret:b
ConnectionBodyParameter Key:s Value:s IsValueSecret:b
ConnectionApiKeyAuthResponseParameters ApiKeyName:s1..512
DescribeEndpointResponse Name:s1..64 Description:s..512 Arn:s1..1600 RoutingConfig:@RoutingConfig ReplicationConfig:@ReplicationConfig EventBuses:[@EndpointEventBus] RoleArn:s1..256 EndpointId:s1..50 EndpointUrl:s1..256 State:@EndpointState StateReason:s1..512 CreationTime:s LastModifiedTime:s
DescribeEventBusResponse Name:s Arn:s Description:s..512 KmsKeyIdentifier:s..2048 DeadLetterConfig:@DeadLetterConfig Policy:s LogConfig:@LogConfig CreationTime:s LastModifiedTime:s
DescribeEventSourceResponse Arn:s CreatedBy:s CreationTime:s ExpirationTime:s Name:s State:@EventSourceState
EventSourceState = PENDING ACTIVE DELETED
DescribePartnerEventSourceResponse Arn:s Name:s
DescribeReplayResponse ReplayName:s1..64 ReplayArn:s1..1600 Description:s..512 State:@ReplayState StateReason:s..512 EventSourceArn:s1..1600 Destination:@ReplayDestination EventStartTime:s EventEndTime:s EventLastReplayedTime:s ReplayStartTime:s ReplayEndTime:s
ReplayDestination Arn!:s1..1600 FilterArns:[s1..1600]
DescribeRuleResponse Name:s1..64 Arn:s1..1600 EventPattern:s..4096 ScheduleExpression:s..256 State:@RuleState Description:s..512 RoleArn:s1..1600 ManagedBy:s1..128 EventBusName:s1..256 CreatedBy:s1..128
RuleState = ENABLED DISABLED ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS
ListApiDestinationsResponse ApiDestinations:[@ApiDestination] NextToken:s1..2048
ApiDestination ApiDestinationArn:s1..1600 Name:s1..64 ApiDestinationState:@ApiDestinationState ConnectionArn:s1..1600 InvocationEndpoint:s1..2048 HttpMethod:@ApiDestinationHttpMethod InvocationRateLimitPerSecond:n1.. CreationTime:s LastModifiedTime:s
ListArchivesResponse Archives:[@Archive] NextToken:s1..2048
Archive ArchiveName:s1..48 EventSourceArn:s1..1600 State:@ArchiveState StateReason:s..512 RetentionDays:n0.. SizeBytes:n EventCount:n CreationTime:s
ListConnectionsResponse Connections:[@Connection] NextToken:s1..2048
Connection ConnectionArn:s1..1600 Name:s1..64 ConnectionState:@ConnectionState StateReason:s..512 AuthorizationType:@ConnectionAuthorizationType CreationTime:s LastModifiedTime:s LastAuthorizedTime:s
ListEndpointsResponse Endpoints:[@Endpoint] NextToken:s1..2048
Endpoint Name:s1..64 Description:s..512 Arn:s1..1600 RoutingConfig:@RoutingConfig ReplicationConfig:@ReplicationConfig EventBuses:[@EndpointEventBus] RoleArn:s1..256 EndpointId:s1..50 EndpointUrl:s1..256 State:@EndpointState StateReason:s1..512 CreationTime:s LastModifiedTime:s
ListEventBusesResponse EventBuses:[@EventBus] NextToken:s1..2048
EventBus Name:s Arn:s Description:s..512 Policy:s CreationTime:s LastModifiedTime:s
ListEventSourcesResponse EventSources:[@EventSource] NextToken:s1..2048
EventSource Arn:s CreatedBy:s CreationTime:s ExpirationTime:s Name:s State:@EventSourceState
ListPartnerEventSourceAccountsResponse PartnerEventSourceAccounts:[@PartnerEventSourceAccount] NextToken:s1..2048
PartnerEventSourceAccount Account:s12..12 CreationTime:s ExpirationTime:s State:@EventSourceState
ListPartnerEventSourcesResponse PartnerEventSources:[@PartnerEventSource] NextToken:s1..2048
PartnerEventSource Arn:s Name:s
ListReplaysResponse Replays:[@Replay] NextToken:s1..2048
Replay ReplayName:s1..64 EventSourceArn:s1..1600 State:@ReplayState StateReason:s..512 EventStartTime:s EventEndTime:s EventLastReplayedTime:s ReplayStartTime:s ReplayEndTime:s
ListRuleNamesByTargetResponse RuleNames:[s1..64] NextToken:s1..2048
ListRulesResponse Rules:[@Rule] NextToken:s1..2048
Rule Name:s1..64 Arn:s1..1600 EventPattern:s..4096 State:@RuleState Description:s..512 ScheduleExpression:s..256 RoleArn:s1..1600 ManagedBy:s1..128 EventBusName:s1..256
ListTagsForResourceResponse Tags:[@Tag]
Tag Key!:s1..128 Value!:s0..256
ListTargetsByRuleResponse Targets:[@Target] NextToken:s1..2048
Target Id!:s1..64 Arn!:s1..1600 RoleArn:s1..1600 Input:s..8192 InputPath:s..256 InputTransformer:@InputTransformer KinesisParameters:@KinesisParameters RunCommandParameters:@RunCommandParameters EcsParameters:@EcsParameters BatchParameters:@BatchParameters SqsParameters:@SqsParameters HttpParameters:@HttpParameters RedshiftDataParameters:@RedshiftDataParameters SageMakerPipelineParameters:@SageMakerPipelineParameters DeadLetterConfig:@DeadLetterConfig RetryPolicy:@RetryPolicy AppSyncParameters:@AppSyncParameters
InputTransformer InputPathsMap:{s..256} InputTemplate!:s1..8192
KinesisParameters PartitionKeyPath!:s..256
RunCommandParameters RunCommandTargets!:[@RunCommandTarget]
RunCommandTarget Key!:s1..128 Values!:[s1..256]
EcsParameters TaskDefinitionArn!:s1..1600 TaskCount:n1.. LaunchType:@LaunchType NetworkConfiguration:@NetworkConfiguration PlatformVersion:s Group:s CapacityProviderStrategy:[@CapacityProviderStrategyItem] EnableECSManagedTags:b EnableExecuteCommand:b PlacementConstraints:[@PlacementConstraint] PlacementStrategy:[@PlacementStrategy] PropagateTags:@PropagateTags ReferenceId:s..1024 Tags:[@Tag]
LaunchType = EC2 FARGATE EXTERNAL
NetworkConfiguration awsvpcConfiguration:@AwsVpcConfiguration
AwsVpcConfiguration Subnets!:[s] SecurityGroups:[s] AssignPublicIp:@AssignPublicIp
AssignPublicIp = ENABLED DISABLED
CapacityProviderStrategyItem capacityProvider!:s1..255 weight:n0..1000 base:n0..100000
PlacementConstraint type:@PlacementConstraintType expression:s..2000
PlacementConstraintType = distinctInstance memberOf
PlacementStrategy type:@PlacementStrategyType field:s..255
PlacementStrategyType = random spread binpack
PropagateTags = TASK_DEFINITION
BatchParameters JobDefinition!:s JobName!:s ArrayProperties:@BatchArrayProperties RetryStrategy:@BatchRetryStrategy
BatchArrayProperties Size:n
BatchRetryStrategy Attempts:n
SqsParameters MessageGroupId:s..100
HttpParameters PathParameterValues:[s] HeaderParameters:{s..512} QueryStringParameters:{s..512}
RedshiftDataParameters SecretManagerArn:s1..1600 Database!:s1..64 DbUser:s1..128 Sql:s1..100000 StatementName:s1..500 WithEvent:b Sqls:[s1..100000]
SageMakerPipelineParameters PipelineParameterList:[@SageMakerPipelineParameter]
SageMakerPipelineParameter Name!:s1..256 Value!:s..1024
RetryPolicy MaximumRetryAttempts:n0..185 MaximumEventAgeInSeconds:n60..86400
AppSyncParameters GraphQLOperation:s1..1048576
PutEventsResponse FailedEntryCount:n Entries:[@PutEventsResultEntry]
PutEventsResultEntry EventId:s..64 ErrorCode:s ErrorMessage:s
PutPartnerEventsResponse FailedEntryCount:n Entries:[@PutPartnerEventsResultEntry]
PutPartnerEventsResultEntry EventId:s..64 ErrorCode:s ErrorMessage:s
PutRuleResponse RuleArn:s1..1600
PutTargetsResponse FailedEntryCount:n FailedEntries:[@PutTargetsResultEntry]
PutTargetsResultEntry TargetId:s1..64 ErrorCode:s ErrorMessage:s
RemoveTargetsResponse FailedEntryCount:n FailedEntries:[@RemoveTargetsResultEntry]
RemoveTargetsResultEntry TargetId:s1..64 ErrorCode:s ErrorMessage:s
StartReplayResponse ReplayArn:s1..1600 State:@ReplayState StateReason:s..512 ReplayStartTime:s
TagResourceResponse 
TestEventPatternResponse Result:b
UntagResourceResponse 
UpdateApiDestinationResponse ApiDestinationArn:s1..1600 ApiDestinationState:@ApiDestinationState CreationTime:s LastModifiedTime:s
UpdateArchiveResponse ArchiveArn:s1..1600 State:@ArchiveState StateReason:s..512 CreationTime:s
UpdateConnectionResponse ConnectionArn:s1..1600 ConnectionState:@ConnectionState CreationTime:s LastModifiedTime:s LastAuthorizedTime:s
UpdateEndpointResponse Name:s1..64 Arn:s1..1600 RoutingConfig:@RoutingConfig ReplicationConfig:@ReplicationConfig EventBuses:[@EndpointEventBus] RoleArn:s1..256 EndpointId:s1..50 EndpointUrl:s1..256 State:@EndpointState
UpdateEventBusResponse Arn:s Name:s1..256 KmsKeyIdentifier:s..2048 Description:s..512 DeadLetterConfig:@DeadLetterConfig LogConfig:@LogConfig
`;
