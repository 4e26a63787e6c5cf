/** Drawn by draw-models.ts: what the operations of lambda answer. */
export default `
AddLayerVersionPermission() @AddLayerVersionPermissionResponse
AddPermission() @AddPermissionResponse
CreateAlias() @AliasConfiguration
CreateCodeSigningConfig() @CreateCodeSigningConfigResponse
CreateEventSourceMapping() @EventSourceMappingConfiguration
CreateFunction() @FunctionConfiguration
CreateFunctionUrlConfig() @CreateFunctionUrlConfigResponse
DeleteCodeSigningConfig() @DeleteCodeSigningConfigResponse
DeleteEventSourceMapping() @EventSourceMappingConfiguration
GetAccountSettings() @GetAccountSettingsResponse
GetAlias() @AliasConfiguration
GetCodeSigningConfig() @GetCodeSigningConfigResponse
GetEventSourceMapping() @EventSourceMappingConfiguration
GetFunction() @GetFunctionResponse
GetFunctionCodeSigningConfig() @GetFunctionCodeSigningConfigResponse
GetFunctionConcurrency() @GetFunctionConcurrencyResponse
GetFunctionConfiguration() @FunctionConfiguration
GetFunctionEventInvokeConfig() @FunctionEventInvokeConfig
GetFunctionRecursionConfig() @GetFunctionRecursionConfigResponse
GetFunctionUrlConfig() @GetFunctionUrlConfigResponse
GetLayerVersion() @GetLayerVersionResponse
GetLayerVersionByArn() @GetLayerVersionResponse
GetLayerVersionPolicy() @GetLayerVersionPolicyResponse
GetPolicy() @GetPolicyResponse
GetProvisionedConcurrencyConfig() @GetProvisionedConcurrencyConfigResponse
GetRuntimeManagementConfig() @GetRuntimeManagementConfigResponse
Invoke() @InvocationResponse
InvokeAsync() @InvokeAsyncResponse
InvokeWithResponseStream() @InvokeWithResponseStreamResponse
ListAliases() @ListAliasesResponse
ListCodeSigningConfigs() @ListCodeSigningConfigsResponse
ListEventSourceMappings() @ListEventSourceMappingsResponse
ListFunctionEventInvokeConfigs() @ListFunctionEventInvokeConfigsResponse
ListFunctionUrlConfigs() @ListFunctionUrlConfigsResponse
ListFunctions() @ListFunctionsResponse
ListFunctionsByCodeSigningConfig() @ListFunctionsByCodeSigningConfigResponse
ListLayerVersions() @ListLayerVersionsResponse
ListLayers() @ListLayersResponse
ListProvisionedConcurrencyConfigs() @ListProvisionedConcurrencyConfigsResponse
ListTags() @ListTagsResponse
ListVersionsByFunction() @ListVersionsByFunctionResponse
PublishLayerVersion() @PublishLayerVersionResponse
PublishVersion() @FunctionConfiguration
PutFunctionCodeSigningConfig() @PutFunctionCodeSigningConfigResponse
PutFunctionConcurrency() @Concurrency
PutFunctionEventInvokeConfig() @FunctionEventInvokeConfig
PutFunctionRecursionConfig() @PutFunctionRecursionConfigResponse
PutProvisionedConcurrencyConfig() @PutProvisionedConcurrencyConfigResponse
PutRuntimeManagementConfig() @PutRuntimeManagementConfigResponse
UpdateAlias() @AliasConfiguration
UpdateCodeSigningConfig() @UpdateCodeSigningConfigResponse
UpdateEventSourceMapping() @EventSourceMappingConfiguration
UpdateFunctionCode() @FunctionConfiguration
UpdateFunctionConfiguration() @FunctionConfiguration
UpdateFunctionEventInvokeConfig() @FunctionEventInvokeConfig
UpdateFunctionUrlConfig() @UpdateFunctionUrlConfigResponse
AddLayerVersionPermissionResponse Statement:s RevisionId:s
AddPermissionResponse Statement:s
AliasConfiguration AliasArn:s Name:s1..128 FunctionVersion:s1..1024 Description:s0..256 RoutingConfig:@AliasRoutingConfiguration RevisionId:s
AliasRoutingConfiguration AdditionalVersionWeights:{n0..1}
CreateCodeSigningConfigResponse CodeSigningConfig!:@CodeSigningConfig
CodeSigningConfig CodeSigningConfigId!:s CodeSigningConfigArn!:s0..200 Description:s0..256 AllowedPublishers!:@AllowedPublishers CodeSigningPolicies!:@CodeSigningPolicies LastModified!:s
AllowedPublishers SigningProfileVersionArns!:[s]
CodeSigningPolicies UntrustedArtifactOnDeployment:@CodeSigningPolicy
CodeSigningPolicy = Warn Enforce
EventSourceMappingConfiguration UUID:s StartingPosition:@EventSourcePosition StartingPositionTimestamp:s BatchSize:n1..10000 MaximumBatchingWindowInSeconds:n0..300 ParallelizationFactor:n1..10 EventSourceArn:s FilterCriteria:@FilterCriteria FunctionArn:s LastModified:s LastProcessingResult:s State:s StateTransitionReason:s DestinationConfig:@DestinationConfig Topics:[s1..249] Queues:[s1..1000] SourceAccessConfigurations:[@SourceAccessConfiguration] SelfManagedEventSource:@SelfManagedEventSource MaximumRecordAgeInSeconds:n-1..604800 BisectBatchOnFunctionError:b MaximumRetryAttempts:n-1..10000 TumblingWindowInSeconds:n0..900 FunctionResponseTypes:[@FunctionResponseType] AmazonManagedKafkaEventSourceConfig:@AmazonManagedKafkaEventSourceConfig SelfManagedKafkaEventSourceConfig:@SelfManagedKafkaEventSourceConfig ScalingConfig:@ScalingConfig DocumentDBEventSourceConfig:@DocumentDBEventSourceConfig KMSKeyArn:s FilterCriteriaError:@FilterCriteriaError EventSourceMappingArn:s85..120 MetricsConfig:@EventSourceMappingMetricsConfig ProvisionedPollerConfig:@ProvisionedPollerConfig
EventSourcePosition = TRIM_HORIZON LATEST AT_TIMESTAMP
FilterCriteria Filters:[@Filter]
Filter Pattern:s0..4096
DestinationConfig OnSuccess:@OnSuccess OnFailure:@OnFailure
OnSuccess Destination:s0..350
OnFailure Destination:s0..350
SourceAccessConfiguration Type:@SourceAccessType URI:s1..200
SourceAccessType = BASIC_AUTH VPC_SUBNET VPC_SECURITY_GROUP SASL_SCRAM_512_AUTH SASL_SCRAM_256_AUTH VIRTUAL_HOST CLIENT_CERTIFICATE_TLS_AUTH SERVER_ROOT_CA_CERTIFICATE
SelfManagedEventSource Endpoints:{[s1..300]}
FunctionResponseType = ReportBatchItemFailures
AmazonManagedKafkaEventSourceConfig ConsumerGroupId:s1..200 SchemaRegistryConfig:@KafkaSchemaRegistryConfig
KafkaSchemaRegistryConfig SchemaRegistryURI:s1..10000 EventRecordFormat:@SchemaRegistryEventRecordFormat AccessConfigs:[@KafkaSchemaRegistryAccessConfig] SchemaValidationConfigs:[@KafkaSchemaValidationConfig]
SchemaRegistryEventRecordFormat = JSON SOURCE
KafkaSchemaRegistryAccessConfig Type:@KafkaSchemaRegistryAuthType URI:s
KafkaSchemaRegistryAuthType = BASIC_AUTH CLIENT_CERTIFICATE_TLS_AUTH SERVER_ROOT_CA_CERTIFICATE
KafkaSchemaValidationConfig Attribute:@KafkaSchemaValidationAttribute
KafkaSchemaValidationAttribute = KEY VALUE
SelfManagedKafkaEventSourceConfig ConsumerGroupId:s1..200 SchemaRegistryConfig:@KafkaSchemaRegistryConfig
ScalingConfig MaximumConcurrency:n2..1000
DocumentDBEventSourceConfig DatabaseName:s1..63 CollectionName:s1..57 FullDocument:@FullDocument
FullDocument = UpdateLookup Default
FilterCriteriaError ErrorCode:s10..50 Message:s10..2048
EventSourceMappingMetricsConfig Metrics:[@EventSourceMappingMetric]
EventSourceMappingMetric = EventCount
ProvisionedPollerConfig MinimumPollers:n1..200 MaximumPollers:n1..2000
FunctionConfiguration FunctionName:s1..170 FunctionArn:s Runtime:@Runtime Role:s Handler:s0..128 CodeSize:n Description:s0..256 Timeout:n1.. MemorySize:n128..10240 LastModified:s CodeSha256:s Version:s1..1024 VpcConfig:@VpcConfigResponse DeadLetterConfig:@DeadLetterConfig Environment:@EnvironmentResponse KMSKeyArn:s TracingConfig:@TracingConfigResponse MasterArn:s RevisionId:s Layers:[@Layer] State:@State StateReason:s StateReasonCode:@StateReasonCode LastUpdateStatus:@LastUpdateStatus LastUpdateStatusReason:s LastUpdateStatusReasonCode:@LastUpdateStatusReasonCode FileSystemConfigs:[@FileSystemConfig] PackageType:@PackageType ImageConfigResponse:@ImageConfigResponse SigningProfileVersionArn:s SigningJobArn:s Architectures:[@Architecture] EphemeralStorage:@EphemeralStorage SnapStart:@SnapStartResponse RuntimeVersionConfig:@RuntimeVersionConfig LoggingConfig:@LoggingConfig
Runtime = nodejs nodejs4.3 nodejs6.10 nodejs8.10 nodejs10.x nodejs12.x nodejs14.x nodejs16.x java8 java8.al2 java11 python2.7 python3.6 python3.7 python3.8 python3.9 dotnetcore1.0 dotnetcore2.0 dotnetcore2.1 dotnetcore3.1 dotnet6 dotnet8 nodejs4.3-edge go1.x ruby2.5 ruby2.7 provided provided.al2 nodejs18.x python3.10 java17 ruby3.2 ruby3.3 ruby3.4 python3.11 nodejs20.x provided.al2023 python3.12 java21 python3.13 nodejs22.x
VpcConfigResponse SubnetIds:[s] SecurityGroupIds:[s] VpcId:s Ipv6AllowedForDualStack:b
DeadLetterConfig TargetArn:s
EnvironmentResponse Variables:{s} Error:@EnvironmentError
EnvironmentError ErrorCode:s Message:s
TracingConfigResponse Mode:@TracingMode
TracingMode = Active PassThrough
Layer Arn:s1..140 CodeSize:n SigningProfileVersionArn:s SigningJobArn:s
State = Pending Active Inactive Failed
StateReasonCode = Idle Creating Restoring EniLimitExceeded InsufficientRolePermissions InvalidConfiguration InternalError SubnetOutOfIPAddresses InvalidSubnet InvalidSecurityGroup ImageDeleted ImageAccessDenied InvalidImage KMSKeyAccessDenied KMSKeyNotFound InvalidStateKMSKey DisabledKMSKey EFSIOError EFSMountConnectivityError EFSMountFailure EFSMountTimeout InvalidRuntime InvalidZipFileException FunctionError
LastUpdateStatus = Successful Failed InProgress
LastUpdateStatusReasonCode = EniLimitExceeded InsufficientRolePermissions InvalidConfiguration InternalError SubnetOutOfIPAddresses InvalidSubnet InvalidSecurityGroup ImageDeleted ImageAccessDenied InvalidImage KMSKeyAccessDenied KMSKeyNotFound InvalidStateKMSKey DisabledKMSKey EFSIOError EFSMountConnectivityError EFSMountFailure EFSMountTimeout InvalidRuntime InvalidZipFileException FunctionError
FileSystemConfig Arn!:s0..200 LocalMountPath!:s0..160
PackageType = Zip Image
ImageConfigResponse ImageConfig:@ImageConfig Error:@ImageConfigError
ImageConfig EntryPoint:[s] Command:[s] WorkingDirectory:s0..1000
ImageConfigError ErrorCode:s Message:s
Architecture = x86_64 arm64
EphemeralStorage Size!:n512..10240
SnapStartResponse ApplyOn:@SnapStartApplyOn OptimizationStatus:@SnapStartOptimizationStatus
SnapStartApplyOn = PublishedVersions None
SnapStartOptimizationStatus = On Off
RuntimeVersionConfig RuntimeVersionArn:s26..2048 Error:@RuntimeVersionError
RuntimeVersionError ErrorCode:s Message:s
LoggingConfig LogFormat:@LogFormat ApplicationLogLevel:@ApplicationLogLevel SystemLogLevel:@SystemLogLevel LogGroup:s1..512
LogFormat = JSON Text
ApplicationLogLevel = TRACE DEBUG INFO WARN ERROR FATAL
SystemLogLevel = DEBUG INFO WARN
CreateFunctionUrlConfigResponse FunctionUrl!:s40..100 FunctionArn!:s AuthType!:@FunctionUrlAuthType Cors:@Cors CreationTime!:s InvokeMode:@InvokeMode
FunctionUrlAuthType = NONE AWS_IAM
Cors AllowCredentials:b AllowHeaders:[s0..1024] AllowMethods:[s0..6] AllowOrigins:[s1..253] ExposeHeaders:[s0..1024] MaxAge:n0..86400
InvokeMode = BUFFERED RESPONSE_STREAM
DeleteCodeSigningConfigResponse 
GetAccountSettingsResponse AccountLimit:@AccountLimit AccountUsage:@AccountUsage
AccountLimit TotalCodeSize:n CodeSizeUnzipped:n CodeSizeZipped:n ConcurrentExecutions:n UnreservedConcurrentExecutions:n0..
AccountUsage TotalCodeSize:n FunctionCount:n
GetCodeSigningConfigResponse CodeSigningConfig!:@CodeSigningConfig
GetFunctionResponse Configuration:@FunctionConfiguration Code:@FunctionCodeLocation Tags:{s} TagsError:@TagsError Concurrency:@Concurrency
FunctionCodeLocation RepositoryType:s Location:s ImageUri:s ResolvedImageUri:s SourceKMSKeyArn:s
TagsError ErrorCode!:s10..21 Message!:s84..1000
Concurrency ReservedConcurrentExecutions:n0..
GetFunctionCodeSigningConfigResponse CodeSigningConfigArn!:s0..200 FunctionName!:s1..140
GetFunctionConcurrencyResponse ReservedConcurrentExecutions:n0..
FunctionEventInvokeConfig LastModified:s FunctionArn:s MaximumRetryAttempts:n0..2 MaximumEventAgeInSeconds:n60..21600 DestinationConfig:@DestinationConfig
GetFunctionRecursionConfigResponse RecursiveLoop:@RecursiveLoop
RecursiveLoop = Allow Terminate
GetFunctionUrlConfigResponse FunctionUrl!:s40..100 FunctionArn!:s AuthType!:@FunctionUrlAuthType Cors:@Cors CreationTime!:s LastModifiedTime!:s InvokeMode:@InvokeMode
GetLayerVersionResponse Content:@LayerVersionContentOutput LayerArn:s1..140 LayerVersionArn:s1..140 Description:s0..256 CreatedDate:s Version:n CompatibleRuntimes:[@Runtime] LicenseInfo:s0..512 CompatibleArchitectures:[@Architecture]
LayerVersionContentOutput Location:s CodeSha256:s CodeSize:n SigningProfileVersionArn:s SigningJobArn:s
GetLayerVersionPolicyResponse Policy:s RevisionId:s
GetPolicyResponse Policy:s RevisionId:s
GetProvisionedConcurrencyConfigResponse RequestedProvisionedConcurrentExecutions:n1.. AvailableProvisionedConcurrentExecutions:n0.. AllocatedProvisionedConcurrentExecutions:n0.. Status:@ProvisionedConcurrencyStatusEnum StatusReason:s LastModified:s
ProvisionedConcurrencyStatusEnum = IN_PROGRESS READY FAILED
GetRuntimeManagementConfigResponse UpdateRuntimeOn:@UpdateRuntimeOn RuntimeVersionArn:s26..2048 FunctionArn:s
UpdateRuntimeOn = Auto Manual FunctionUpdate
InvocationResponse StatusCode:n FunctionError:s LogResult:s Payload:s ExecutedVersion:s1..1024
InvokeAsyncResponse Status:n
InvokeWithResponseStreamResponse StatusCode:n ExecutedVersion:s1..1024 EventStream:* ResponseStreamContentType:s
ListAliasesResponse NextMarker:s Aliases:[@AliasConfiguration]
ListCodeSigningConfigsResponse NextMarker:s CodeSigningConfigs:[@CodeSigningConfig]
ListEventSourceMappingsResponse NextMarker:s EventSourceMappings:[@EventSourceMappingConfiguration]
ListFunctionEventInvokeConfigsResponse FunctionEventInvokeConfigs:[@FunctionEventInvokeConfig] NextMarker:s
ListFunctionUrlConfigsResponse FunctionUrlConfigs!:[@FunctionUrlConfig] NextMarker:s
FunctionUrlConfig FunctionUrl!:s40..100 FunctionArn!:s CreationTime!:s LastModifiedTime!:s Cors:@Cors AuthType!:@FunctionUrlAuthType InvokeMode:@InvokeMode
ListFunctionsResponse NextMarker:s Functions:[@FunctionConfiguration]
ListFunctionsByCodeSigningConfigResponse NextMarker:s FunctionArns:[s]
ListLayerVersionsResponse NextMarker:s LayerVersions:[@LayerVersionsListItem]
LayerVersionsListItem LayerVersionArn:s1..140 Version:n Description:s0..256 CreatedDate:s CompatibleRuntimes:[@Runtime] LicenseInfo:s0..512 CompatibleArchitectures:[@Architecture]
ListLayersResponse NextMarker:s Layers:[@LayersListItem]
LayersListItem LayerName:s1..140 LayerArn:s1..140 LatestMatchingVersion:@LayerVersionsListItem
ListProvisionedConcurrencyConfigsResponse ProvisionedConcurrencyConfigs:[@ProvisionedConcurrencyConfigListItem] NextMarker:s
ProvisionedConcurrencyConfigListItem FunctionArn:s RequestedProvisionedConcurrentExecutions:n1.. AvailableProvisionedConcurrentExecutions:n0.. AllocatedProvisionedConcurrentExecutions:n0.. Status:@ProvisionedConcurrencyStatusEnum StatusReason:s LastModified:s
ListTagsResponse Tags:{s}
ListVersionsByFunctionResponse NextMarker:s Versions:[@FunctionConfiguration]
PublishLayerVersionResponse Content:@LayerVersionContentOutput LayerArn:s1..140 LayerVersionArn:s1..140 Description:s0..256 CreatedDate:s Version:n CompatibleRuntimes:[@Runtime] LicenseInfo:s0..512 CompatibleArchitectures:[@Architecture]
PutFunctionCodeSigningConfigResponse CodeSigningConfigArn!:s0..200 FunctionName!:s1..140
PutFunctionRecursionConfigResponse RecursiveLoop:@RecursiveLoop
PutProvisionedConcurrencyConfigResponse RequestedProvisionedConcurrentExecutions:n1.. AvailableProvisionedConcurrentExecutions:n0.. AllocatedProvisionedConcurrentExecutions:n0.. Status:@ProvisionedConcurrencyStatusEnum StatusReason:s LastModified:s
PutRuntimeManagementConfigResponse UpdateRuntimeOn!:@UpdateRuntimeOn FunctionArn!:s RuntimeVersionArn:s26..2048
UpdateCodeSigningConfigResponse CodeSigningConfig!:@CodeSigningConfig
UpdateFunctionUrlConfigResponse FunctionUrl!:s40..100 FunctionArn!:s AuthType!:@FunctionUrlAuthType Cors:@Cors CreationTime!:s LastModifiedTime!:s InvokeMode:@InvokeMode
`;
