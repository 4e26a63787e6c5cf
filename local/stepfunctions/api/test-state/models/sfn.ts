/** Drawn by draw-models.ts: what the operations of sfn answer. */
export default `
CreateActivity() @CreateActivityOutput
CreateStateMachine() @CreateStateMachineOutput
CreateStateMachineAlias() @CreateStateMachineAliasOutput
DeleteActivity() @DeleteActivityOutput
DeleteStateMachine() @DeleteStateMachineOutput
DeleteStateMachineAlias() @DeleteStateMachineAliasOutput
DeleteStateMachineVersion() @DeleteStateMachineVersionOutput
DescribeActivity() @DescribeActivityOutput
DescribeExecution() @DescribeExecutionOutput
DescribeMapRun() @DescribeMapRunOutput
DescribeStateMachine() @DescribeStateMachineOutput
DescribeStateMachineAlias() @DescribeStateMachineAliasOutput
DescribeStateMachineForExecution() @DescribeStateMachineForExecutionOutput
GetActivityTask() @GetActivityTaskOutput
GetExecutionHistory() @GetExecutionHistoryOutput
ListActivities() @ListActivitiesOutput
ListExecutions() @ListExecutionsOutput
ListMapRuns() @ListMapRunsOutput
ListStateMachineAliases() @ListStateMachineAliasesOutput
ListStateMachineVersions() @ListStateMachineVersionsOutput
ListStateMachines() @ListStateMachinesOutput
ListTagsForResource() @ListTagsForResourceOutput
PublishStateMachineVersion() @PublishStateMachineVersionOutput
RedriveExecution() @RedriveExecutionOutput
SendTaskFailure() @SendTaskFailureOutput
SendTaskHeartbeat() @SendTaskHeartbeatOutput
SendTaskSuccess() @SendTaskSuccessOutput
StartExecution() @StartExecutionOutput
StartSyncExecution() @StartSyncExecutionOutput
StopExecution() @StopExecutionOutput
TagResource() @TagResourceOutput
TestState() @TestStateOutput
UntagResource() @UntagResourceOutput
UpdateMapRun() @UpdateMapRunOutput
UpdateStateMachine() @UpdateStateMachineOutput
UpdateStateMachineAlias() @UpdateStateMachineAliasOutput
ValidateStateMachineDefinition() @ValidateStateMachineDefinitionOutput
CreateActivityOutput activityArn!:s1..256 creationDate!:s
CreateStateMachineOutput stateMachineArn!:s1..256 creationDate!:s stateMachineVersionArn:s1..256
CreateStateMachineAliasOutput stateMachineAliasArn!:s1..256 creationDate!:s
DeleteActivityOutput 
DeleteStateMachineOutput 
DeleteStateMachineAliasOutput 
DeleteStateMachineVersionOutput 
DescribeActivityOutput activityArn!:s1..256 name!:s1..80 creationDate!:s encryptionConfiguration:@EncryptionConfiguration
EncryptionConfiguration kmsKeyId:s1..2048 kmsDataKeyReusePeriodSeconds:n60..900 type!:@EncryptionType
EncryptionType = AWS_OWNED_KEY CUSTOMER_MANAGED_KMS_KEY
DescribeExecutionOutput executionArn!:s1..256 stateMachineArn!:s1..256 name:s1..80 status!:@ExecutionStatus startDate!:s stopDate:s input:s..262144 inputDetails:@CloudWatchEventsExecutionDataDetails output:s..262144 outputDetails:@CloudWatchEventsExecutionDataDetails traceHeader:s0..256 mapRunArn:s1..2000 error:s0..256 cause:s0..32768 stateMachineVersionArn:s1..256 stateMachineAliasArn:s1..256 redriveCount:n redriveDate:s redriveStatus:@ExecutionRedriveStatus redriveStatusReason:s..262144
ExecutionStatus = RUNNING SUCCEEDED FAILED TIMED_OUT ABORTED PENDING_REDRIVE
CloudWatchEventsExecutionDataDetails included:b
ExecutionRedriveStatus = REDRIVABLE NOT_REDRIVABLE REDRIVABLE_BY_MAP_RUN
DescribeMapRunOutput mapRunArn!:s1..2000 executionArn!:s1..256 status!:@MapRunStatus startDate!:s stopDate:s maxConcurrency!:n0.. toleratedFailurePercentage!:n0..100 toleratedFailureCount!:n0.. itemCounts!:@MapRunItemCounts executionCounts!:@MapRunExecutionCounts redriveCount:n redriveDate:s
MapRunStatus = RUNNING SUCCEEDED FAILED ABORTED
MapRunItemCounts pending!:n0.. running!:n0.. succeeded!:n0.. failed!:n0.. timedOut!:n0.. aborted!:n0.. total!:n0.. resultsWritten!:n0.. failuresNotRedrivable:n pendingRedrive:n
MapRunExecutionCounts pending!:n0.. running!:n0.. succeeded!:n0.. failed!:n0.. timedOut!:n0.. aborted!:n0.. total!:n0.. resultsWritten!:n0.. failuresNotRedrivable:n pendingRedrive:n
DescribeStateMachineOutput stateMachineArn!:s1..256 name!:s1..80 status:@StateMachineStatus definition!:s1..1048576 roleArn!:s1..256 type!:@StateMachineType creationDate!:s loggingConfiguration:@LoggingConfiguration tracingConfiguration:@TracingConfiguration label:s revisionId:s description:s..256 encryptionConfiguration:@EncryptionConfiguration variableReferences:{[s]}
StateMachineStatus = ACTIVE DELETING
StateMachineType = STANDARD EXPRESS
LoggingConfiguration level:@LogLevel includeExecutionData:b destinations:[@LogDestination]
LogLevel = ALL ERROR FATAL OFF
LogDestination cloudWatchLogsLogGroup:@CloudWatchLogsLogGroup
CloudWatchLogsLogGroup logGroupArn:s1..256
TracingConfiguration enabled:b
DescribeStateMachineAliasOutput stateMachineAliasArn:s1..256 name:s1..80 description:s..256 routingConfiguration:[@RoutingConfigurationListItem] creationDate:s updateDate:s
RoutingConfigurationListItem stateMachineVersionArn!:s1..256 weight!:n0..100
DescribeStateMachineForExecutionOutput stateMachineArn!:s1..256 name!:s1..80 definition!:s1..1048576 roleArn!:s1..256 updateDate!:s loggingConfiguration:@LoggingConfiguration tracingConfiguration:@TracingConfiguration mapRunArn:s1..2000 label:s revisionId:s encryptionConfiguration:@EncryptionConfiguration variableReferences:{[s]}
GetActivityTaskOutput taskToken:s1..2048 input:s..262144
GetExecutionHistoryOutput events!:[@HistoryEvent] nextToken:s1..1024
HistoryEvent timestamp!:s type!:@HistoryEventType id!:n previousEventId:n activityFailedEventDetails:@ActivityFailedEventDetails activityScheduleFailedEventDetails:@ActivityScheduleFailedEventDetails activityScheduledEventDetails:@ActivityScheduledEventDetails activityStartedEventDetails:@ActivityStartedEventDetails activitySucceededEventDetails:@ActivitySucceededEventDetails activityTimedOutEventDetails:@ActivityTimedOutEventDetails taskFailedEventDetails:@TaskFailedEventDetails taskScheduledEventDetails:@TaskScheduledEventDetails taskStartFailedEventDetails:@TaskStartFailedEventDetails taskStartedEventDetails:@TaskStartedEventDetails taskSubmitFailedEventDetails:@TaskSubmitFailedEventDetails taskSubmittedEventDetails:@TaskSubmittedEventDetails taskSucceededEventDetails:@TaskSucceededEventDetails taskTimedOutEventDetails:@TaskTimedOutEventDetails executionFailedEventDetails:@ExecutionFailedEventDetails executionStartedEventDetails:@ExecutionStartedEventDetails executionSucceededEventDetails:@ExecutionSucceededEventDetails executionAbortedEventDetails:@ExecutionAbortedEventDetails executionTimedOutEventDetails:@ExecutionTimedOutEventDetails executionRedrivenEventDetails:@ExecutionRedrivenEventDetails mapStateStartedEventDetails:@MapStateStartedEventDetails mapIterationStartedEventDetails:@MapIterationEventDetails mapIterationSucceededEventDetails:@MapIterationEventDetails mapIterationFailedEventDetails:@MapIterationEventDetails mapIterationAbortedEventDetails:@MapIterationEventDetails lambdaFunctionFailedEventDetails:@LambdaFunctionFailedEventDetails lambdaFunctionScheduleFailedEventDetails:@LambdaFunctionScheduleFailedEventDetails lambdaFunctionScheduledEventDetails:@LambdaFunctionScheduledEventDetails lambdaFunctionStartFailedEventDetails:@LambdaFunctionStartFailedEventDetails lambdaFunctionSucceededEventDetails:@LambdaFunctionSucceededEventDetails lambdaFunctionTimedOutEventDetails:@LambdaFunctionTimedOutEventDetails stateEnteredEventDetails:@StateEnteredEventDetails stateExitedEventDetails:@StateExitedEventDetails mapRunStartedEventDetails:@MapRunStartedEventDetails mapRunFailedEventDetails:@MapRunFailedEventDetails mapRunRedrivenEventDetails:@MapRunRedrivenEventDetails evaluationFailedEventDetails:@EvaluationFailedEventDetails
HistoryEventType = ActivityFailed ActivityScheduled ActivityScheduleFailed ActivityStarted ActivitySucceeded ActivityTimedOut ChoiceStateEntered ChoiceStateExited ExecutionAborted ExecutionFailed ExecutionStarted ExecutionSucceeded ExecutionTimedOut FailStateEntered LambdaFunctionFailed LambdaFunctionScheduled LambdaFunctionScheduleFailed LambdaFunctionStarted LambdaFunctionStartFailed LambdaFunctionSucceeded LambdaFunctionTimedOut MapIterationAborted MapIterationFailed MapIterationStarted MapIterationSucceeded MapStateAborted MapStateEntered MapStateExited MapStateFailed MapStateStarted MapStateSucceeded ParallelStateAborted ParallelStateEntered ParallelStateExited ParallelStateFailed ParallelStateStarted ParallelStateSucceeded PassStateEntered PassStateExited SucceedStateEntered SucceedStateExited TaskFailed TaskScheduled TaskStarted TaskStartFailed TaskStateAborted TaskStateEntered TaskStateExited TaskSubmitFailed TaskSubmitted TaskSucceeded TaskTimedOut WaitStateAborted WaitStateEntered WaitStateExited MapRunAborted MapRunFailed MapRunStarted MapRunSucceeded ExecutionRedriven MapRunRedriven EvaluationFailed
ActivityFailedEventDetails error:s0..256 cause:s0..32768
ActivityScheduleFailedEventDetails error:s0..256 cause:s0..32768
ActivityScheduledEventDetails resource!:s1..256 input:s..262144 inputDetails:@HistoryEventExecutionDataDetails timeoutInSeconds:n heartbeatInSeconds:n
HistoryEventExecutionDataDetails truncated:b
ActivityStartedEventDetails workerName:s..256
ActivitySucceededEventDetails output:s..262144 outputDetails:@HistoryEventExecutionDataDetails
ActivityTimedOutEventDetails error:s0..256 cause:s0..32768
TaskFailedEventDetails resourceType!:s1..80 resource!:s1..80 error:s0..256 cause:s0..32768
TaskScheduledEventDetails resourceType!:s1..80 resource!:s1..80 region!:s1..80 parameters!:s0..262144 timeoutInSeconds:n heartbeatInSeconds:n taskCredentials:@TaskCredentials
TaskCredentials roleArn:s1..2000
TaskStartFailedEventDetails resourceType!:s1..80 resource!:s1..80 error:s0..256 cause:s0..32768
TaskStartedEventDetails resourceType!:s1..80 resource!:s1..80
TaskSubmitFailedEventDetails resourceType!:s1..80 resource!:s1..80 error:s0..256 cause:s0..32768
TaskSubmittedEventDetails resourceType!:s1..80 resource!:s1..80 output:s..262144 outputDetails:@HistoryEventExecutionDataDetails
TaskSucceededEventDetails resourceType!:s1..80 resource!:s1..80 output:s..262144 outputDetails:@HistoryEventExecutionDataDetails
TaskTimedOutEventDetails resourceType!:s1..80 resource!:s1..80 error:s0..256 cause:s0..32768
ExecutionFailedEventDetails error:s0..256 cause:s0..32768
ExecutionStartedEventDetails input:s..262144 inputDetails:@HistoryEventExecutionDataDetails roleArn:s1..256 stateMachineAliasArn:s1..256 stateMachineVersionArn:s1..256
ExecutionSucceededEventDetails output:s..262144 outputDetails:@HistoryEventExecutionDataDetails
ExecutionAbortedEventDetails error:s0..256 cause:s0..32768
ExecutionTimedOutEventDetails error:s0..256 cause:s0..32768
ExecutionRedrivenEventDetails redriveCount:n
MapStateStartedEventDetails length:n0..
MapIterationEventDetails name:s1..80 index:n0..
LambdaFunctionFailedEventDetails error:s0..256 cause:s0..32768
LambdaFunctionScheduleFailedEventDetails error:s0..256 cause:s0..32768
LambdaFunctionScheduledEventDetails resource!:s1..256 input:s..262144 inputDetails:@HistoryEventExecutionDataDetails timeoutInSeconds:n taskCredentials:@TaskCredentials
LambdaFunctionStartFailedEventDetails error:s0..256 cause:s0..32768
LambdaFunctionSucceededEventDetails output:s..262144 outputDetails:@HistoryEventExecutionDataDetails
LambdaFunctionTimedOutEventDetails error:s0..256 cause:s0..32768
StateEnteredEventDetails name!:s1..80 input:s..262144 inputDetails:@HistoryEventExecutionDataDetails
StateExitedEventDetails name!:s1..80 output:s..262144 outputDetails:@HistoryEventExecutionDataDetails assignedVariables:{s} assignedVariablesDetails:@AssignedVariablesDetails
AssignedVariablesDetails truncated:b
MapRunStartedEventDetails mapRunArn:s1..2000
MapRunFailedEventDetails error:s0..256 cause:s0..32768
MapRunRedrivenEventDetails mapRunArn:s1..2000 redriveCount:n
EvaluationFailedEventDetails error:s0..256 cause:s0..32768 location:s0..256 state!:s1..80
ListActivitiesOutput activities!:[@ActivityListItem] nextToken:s1..1024
ActivityListItem activityArn!:s1..256 name!:s1..80 creationDate!:s
ListExecutionsOutput executions!:[@ExecutionListItem] nextToken:s1..3096
ExecutionListItem executionArn!:s1..256 stateMachineArn!:s1..256 name!:s1..80 status!:@ExecutionStatus startDate!:s stopDate:s mapRunArn:s1..2000 itemCount:n0.. stateMachineVersionArn:s1..256 stateMachineAliasArn:s1..256 redriveCount:n redriveDate:s
ListMapRunsOutput mapRuns!:[@MapRunListItem] nextToken:s1..1024
MapRunListItem executionArn!:s1..256 mapRunArn!:s1..2000 stateMachineArn!:s1..256 startDate!:s stopDate:s
ListStateMachineAliasesOutput stateMachineAliases!:[@StateMachineAliasListItem] nextToken:s1..1024
StateMachineAliasListItem stateMachineAliasArn!:s1..2000 creationDate!:s
ListStateMachineVersionsOutput stateMachineVersions!:[@StateMachineVersionListItem] nextToken:s1..1024
StateMachineVersionListItem stateMachineVersionArn!:s1..2000 creationDate!:s
ListStateMachinesOutput stateMachines!:[@StateMachineListItem] nextToken:s1..1024
StateMachineListItem stateMachineArn!:s1..256 name!:s1..80 type!:@StateMachineType creationDate!:s
ListTagsForResourceOutput tags:[@Tag]
Tag key:s1..128 value:s0..256
PublishStateMachineVersionOutput creationDate!:s stateMachineVersionArn!:s1..256
RedriveExecutionOutput redriveDate!:s
SendTaskFailureOutput 
SendTaskHeartbeatOutput 
SendTaskSuccessOutput 
StartExecutionOutput executionArn!:s1..256 startDate!:s
StartSyncExecutionOutput executionArn!:s1..256 stateMachineArn:s1..256 name:s1..80 startDate!:s stopDate!:s status!:@SyncExecutionStatus error:s0..256 cause:s0..32768 input:s..262144 inputDetails:@CloudWatchEventsExecutionDataDetails output:s..262144 outputDetails:@CloudWatchEventsExecutionDataDetails traceHeader:s0..256 billingDetails:@BillingDetails
SyncExecutionStatus = SUCCEEDED FAILED TIMED_OUT
BillingDetails billedMemoryUsedInMB:n0.. billedDurationInMilliseconds:n0..
StopExecutionOutput stopDate!:s
TagResourceOutput 
TestStateOutput output:s..262144 error:s0..256 cause:s0..32768 inspectionData:@InspectionData nextState:s1..80 status:@TestExecutionStatus
InspectionData input:s..262144 afterArguments:s..262144 afterInputPath:s..262144 afterParameters:s..262144 result:s..262144 afterResultSelector:s..262144 afterResultPath:s..262144 request:@InspectionDataRequest response:@InspectionDataResponse variables:s..262144
InspectionDataRequest protocol:s method:s url:s headers:s body:s
InspectionDataResponse protocol:s statusCode:s statusMessage:s headers:s body:s
TestExecutionStatus = SUCCEEDED FAILED RETRIABLE CAUGHT_ERROR
UntagResourceOutput 
UpdateMapRunOutput 
UpdateStateMachineOutput updateDate!:s revisionId:s stateMachineVersionArn:s1..256
UpdateStateMachineAliasOutput updateDate!:s
ValidateStateMachineDefinitionOutput result!:@ValidateStateMachineDefinitionResultCode diagnostics!:[@ValidateStateMachineDefinitionDiagnostic] truncated:b
ValidateStateMachineDefinitionResultCode = OK FAIL
ValidateStateMachineDefinitionDiagnostic severity!:@ValidateStateMachineDefinitionSeverity code!:s message!:s location:s
ValidateStateMachineDefinitionSeverity = ERROR WARNING
`;
