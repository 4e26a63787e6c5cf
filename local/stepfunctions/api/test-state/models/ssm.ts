/** Drawn by draw-models.ts: what the operations of ssm answer. */
export default `
AddTagsToResource() @AddTagsToResourceResult
AssociateOpsItemRelatedItem() @AssociateOpsItemRelatedItemResponse
CancelCommand() @CancelCommandResult
CancelMaintenanceWindowExecution() @CancelMaintenanceWindowExecutionResult
CreateActivation() @CreateActivationResult
CreateAssociation() @CreateAssociationResult
CreateAssociationBatch() @CreateAssociationBatchResult
CreateDocument() @CreateDocumentResult
CreateMaintenanceWindow() @CreateMaintenanceWindowResult
CreateOpsItem() @CreateOpsItemResponse
CreateOpsMetadata() @CreateOpsMetadataResult
CreatePatchBaseline() @CreatePatchBaselineResult
CreateResourceDataSync() @CreateResourceDataSyncResult
DeleteActivation() @DeleteActivationResult
DeleteAssociation() @DeleteAssociationResult
DeleteDocument() @DeleteDocumentResult
DeleteInventory() @DeleteInventoryResult
DeleteMaintenanceWindow() @DeleteMaintenanceWindowResult
DeleteOpsItem() @DeleteOpsItemResponse
DeleteOpsMetadata() @DeleteOpsMetadataResult
DeleteParameter() @DeleteParameterResult
DeleteParameters() @DeleteParametersResult
DeletePatchBaseline() @DeletePatchBaselineResult
DeleteResourceDataSync() @DeleteResourceDataSyncResult
DeleteResourcePolicy() @DeleteResourcePolicyResponse
DeregisterManagedInstance() @DeregisterManagedInstanceResult
DeregisterPatchBaselineForPatchGroup() @DeregisterPatchBaselineForPatchGroupResult
DeregisterTargetFromMaintenanceWindow() @DeregisterTargetFromMaintenanceWindowResult
DeregisterTaskFromMaintenanceWindow() @DeregisterTaskFromMaintenanceWindowResult
DescribeActivations() @DescribeActivationsResult
DescribeAssociation() @DescribeAssociationResult
DescribeAssociationExecutionTargets() @DescribeAssociationExecutionTargetsResult
DescribeAssociationExecutions() @DescribeAssociationExecutionsResult
DescribeAutomationExecutions() @DescribeAutomationExecutionsResult
DescribeAutomationStepExecutions() @DescribeAutomationStepExecutionsResult
DescribeAvailablePatches() @DescribeAvailablePatchesResult
DescribeDocument() @DescribeDocumentResult
DescribeDocumentPermission() @DescribeDocumentPermissionResponse
DescribeEffectiveInstanceAssociations() @DescribeEffectiveInstanceAssociationsResult
DescribeEffectivePatchesForPatchBaseline() @DescribeEffectivePatchesForPatchBaselineResult
DescribeInstanceAssociationsStatus() @DescribeInstanceAssociationsStatusResult
DescribeInstanceInformation() @DescribeInstanceInformationResult
DescribeInstancePatchStates() @DescribeInstancePatchStatesResult
DescribeInstancePatchStatesForPatchGroup() @DescribeInstancePatchStatesForPatchGroupResult
DescribeInstancePatches() @DescribeInstancePatchesResult
DescribeInstanceProperties() @DescribeInstancePropertiesResult
DescribeInventoryDeletions() @DescribeInventoryDeletionsResult
DescribeMaintenanceWindowExecutionTaskInvocations() @DescribeMaintenanceWindowExecutionTaskInvocationsResult
DescribeMaintenanceWindowExecutionTasks() @DescribeMaintenanceWindowExecutionTasksResult
DescribeMaintenanceWindowExecutions() @DescribeMaintenanceWindowExecutionsResult
DescribeMaintenanceWindowSchedule() @DescribeMaintenanceWindowScheduleResult
DescribeMaintenanceWindowTargets() @DescribeMaintenanceWindowTargetsResult
DescribeMaintenanceWindowTasks() @DescribeMaintenanceWindowTasksResult
DescribeMaintenanceWindows() @DescribeMaintenanceWindowsResult
DescribeMaintenanceWindowsForTarget() @DescribeMaintenanceWindowsForTargetResult
DescribeOpsItems() @DescribeOpsItemsResponse
DescribeParameters() @DescribeParametersResult
DescribePatchBaselines() @DescribePatchBaselinesResult
DescribePatchGroupState() @DescribePatchGroupStateResult
DescribePatchGroups() @DescribePatchGroupsResult
DescribePatchProperties() @DescribePatchPropertiesResult
DescribeSessions() @DescribeSessionsResponse
DisassociateOpsItemRelatedItem() @DisassociateOpsItemRelatedItemResponse
GetAccessToken() @GetAccessTokenResponse
GetAutomationExecution() @GetAutomationExecutionResult
GetCalendarState() @GetCalendarStateResponse
GetCommandInvocation() @GetCommandInvocationResult
GetConnectionStatus() @GetConnectionStatusResponse
GetDefaultPatchBaseline() @GetDefaultPatchBaselineResult
GetDeployablePatchSnapshotForInstance() @GetDeployablePatchSnapshotForInstanceResult
GetDocument() @GetDocumentResult
GetExecutionPreview() @GetExecutionPreviewResponse
GetInventory() @GetInventoryResult
GetInventorySchema() @GetInventorySchemaResult
GetMaintenanceWindow() @GetMaintenanceWindowResult
GetMaintenanceWindowExecution() @GetMaintenanceWindowExecutionResult
GetMaintenanceWindowExecutionTask() @GetMaintenanceWindowExecutionTaskResult
GetMaintenanceWindowExecutionTaskInvocation() @GetMaintenanceWindowExecutionTaskInvocationResult
GetMaintenanceWindowTask() @GetMaintenanceWindowTaskResult
GetOpsItem() @GetOpsItemResponse
GetOpsMetadata() @GetOpsMetadataResult
GetOpsSummary() @GetOpsSummaryResult
GetParameter() @GetParameterResult
GetParameterHistory() @GetParameterHistoryResult
GetParameters() @GetParametersResult
GetParametersByPath() @GetParametersByPathResult
GetPatchBaseline() @GetPatchBaselineResult
GetPatchBaselineForPatchGroup() @GetPatchBaselineForPatchGroupResult
GetResourcePolicies() @GetResourcePoliciesResponse
GetServiceSetting() @GetServiceSettingResult
LabelParameterVersion() @LabelParameterVersionResult
ListAssociationVersions() @ListAssociationVersionsResult
ListAssociations() @ListAssociationsResult
ListCommandInvocations() @ListCommandInvocationsResult
ListCommands() @ListCommandsResult
ListComplianceItems() @ListComplianceItemsResult
ListComplianceSummaries() @ListComplianceSummariesResult
ListDocumentMetadataHistory() @ListDocumentMetadataHistoryResponse
ListDocumentVersions() @ListDocumentVersionsResult
ListDocuments() @ListDocumentsResult
ListInventoryEntries() @ListInventoryEntriesResult
ListNodes() @ListNodesResult
ListNodesSummary() @ListNodesSummaryResult
ListOpsItemEvents() @ListOpsItemEventsResponse
ListOpsItemRelatedItems() @ListOpsItemRelatedItemsResponse
ListOpsMetadata() @ListOpsMetadataResult
ListResourceComplianceSummaries() @ListResourceComplianceSummariesResult
ListResourceDataSync() @ListResourceDataSyncResult
ListTagsForResource() @ListTagsForResourceResult
ModifyDocumentPermission() @ModifyDocumentPermissionResponse
PutComplianceItems() @PutComplianceItemsResult
PutInventory() @PutInventoryResult
PutParameter() @PutParameterResult
PutResourcePolicy() @PutResourcePolicyResponse
RegisterDefaultPatchBaseline() @RegisterDefaultPatchBaselineResult
RegisterPatchBaselineForPatchGroup() @RegisterPatchBaselineForPatchGroupResult
RegisterTargetWithMaintenanceWindow() @RegisterTargetWithMaintenanceWindowResult
RegisterTaskWithMaintenanceWindow() @RegisterTaskWithMaintenanceWindowResult
RemoveTagsFromResource() @RemoveTagsFromResourceResult
ResetServiceSetting() @ResetServiceSettingResult
ResumeSession() @ResumeSessionResponse
SendAutomationSignal() @SendAutomationSignalResult
SendCommand() @SendCommandResult
StartAccessRequest() @StartAccessRequestResponse
StartAssociationsOnce() @StartAssociationsOnceResult
StartAutomationExecution() @StartAutomationExecutionResult
StartChangeRequestExecution() @StartChangeRequestExecutionResult
StartExecutionPreview() @StartExecutionPreviewResponse
StartSession() @StartSessionResponse
StopAutomationExecution() @StopAutomationExecutionResult
TerminateSession() @TerminateSessionResponse
UnlabelParameterVersion() @UnlabelParameterVersionResult
UpdateAssociation() @UpdateAssociationResult
UpdateAssociationStatus() @UpdateAssociationStatusResult
UpdateDocument() @UpdateDocumentResult
UpdateDocumentDefaultVersion() @UpdateDocumentDefaultVersionResult
UpdateDocumentMetadata() @UpdateDocumentMetadataResponse
UpdateMaintenanceWindow() @UpdateMaintenanceWindowResult
UpdateMaintenanceWindowTarget() @UpdateMaintenanceWindowTargetResult
UpdateMaintenanceWindowTask() @UpdateMaintenanceWindowTaskResult
UpdateManagedInstanceRole() @UpdateManagedInstanceRoleResult
UpdateOpsItem() @UpdateOpsItemResponse
UpdateOpsMetadata() @UpdateOpsMetadataResult
UpdatePatchBaseline() @UpdatePatchBaselineResult
UpdateResourceDataSync() @UpdateResourceDataSyncResult
UpdateServiceSetting() @UpdateServiceSettingResult
AddTagsToResourceResult 
AssociateOpsItemRelatedItemResponse AssociationId:s
CancelCommandResult 
CancelMaintenanceWindowExecutionResult WindowExecutionId:s36..36
CreateActivationResult ActivationId:s ActivationCode:s20..250
CreateAssociationResult AssociationDescription:@AssociationDescription
AssociationDescription Name:s InstanceId:s AssociationVersion:s Date:s LastUpdateAssociationDate:s Status:@AssociationStatus Overview:@AssociationOverview DocumentVersion:s AutomationTargetParameterName:s1..50 Parameters:{[s]} AssociationId:s Targets:[@Target] ScheduleExpression:s1..256 OutputLocation:@InstanceAssociationOutputLocation LastExecutionDate:s LastSuccessfulExecutionDate:s AssociationName:s MaxErrors:s1..7 MaxConcurrency:s1..7 ComplianceSeverity:@AssociationComplianceSeverity SyncCompliance:@AssociationSyncCompliance ApplyOnlyAtCronInterval:b CalendarNames:[s] TargetLocations:[@TargetLocation] ScheduleOffset:n1..6 Duration:n1..24 TargetMaps:[{[s1..50]}] AlarmConfiguration:@AlarmConfiguration TriggeredAlarms:[@AlarmStateInformation]
AssociationStatus Date!:s Name!:@AssociationStatusName Message!:s1..1024 AdditionalInfo:s..1024
AssociationStatusName = Pending Success Failed
AssociationOverview Status:s DetailedStatus:s AssociationStatusAggregatedCount:{n}
Target Key:s1..163 Values:[s]
InstanceAssociationOutputLocation S3Location:@S3OutputLocation
S3OutputLocation OutputS3Region:s3..20 OutputS3BucketName:s3..63 OutputS3KeyPrefix:s..500
AssociationComplianceSeverity = CRITICAL HIGH MEDIUM LOW UNSPECIFIED
AssociationSyncCompliance = AUTO MANUAL
TargetLocation Accounts:[s] Regions:[s] TargetLocationMaxConcurrency:s1..7 TargetLocationMaxErrors:s1..7 ExecutionRoleName:s1..64 TargetLocationAlarmConfiguration:@AlarmConfiguration IncludeChildOrganizationUnits:b ExcludeAccounts:[s6..68] Targets:[@Target] TargetsMaxConcurrency:s1..7 TargetsMaxErrors:s1..7
AlarmConfiguration IgnorePollAlarmFailure:b Alarms!:[@Alarm]
Alarm Name!:s1..255
AlarmStateInformation Name!:s1..255 State!:@ExternalAlarmState
ExternalAlarmState = UNKNOWN ALARM
CreateAssociationBatchResult Successful:[@AssociationDescription] Failed:[@FailedCreateAssociation]
FailedCreateAssociation Entry:@CreateAssociationBatchRequestEntry Message:s Fault:@Fault
CreateAssociationBatchRequestEntry Name!:s InstanceId:s Parameters:{[s]} AutomationTargetParameterName:s1..50 DocumentVersion:s Targets:[@Target] ScheduleExpression:s1..256 OutputLocation:@InstanceAssociationOutputLocation AssociationName:s MaxErrors:s1..7 MaxConcurrency:s1..7 ComplianceSeverity:@AssociationComplianceSeverity SyncCompliance:@AssociationSyncCompliance ApplyOnlyAtCronInterval:b CalendarNames:[s] TargetLocations:[@TargetLocation] ScheduleOffset:n1..6 Duration:n1..24 TargetMaps:[{[s1..50]}] AlarmConfiguration:@AlarmConfiguration
Fault = Client Server Unknown
CreateDocumentResult DocumentDescription:@DocumentDescription
DocumentDescription Sha1:s Hash:s..256 HashType:@DocumentHashType Name:s DisplayName:s..1024 VersionName:s Owner:s CreatedDate:s Status:@DocumentStatus StatusInformation:s DocumentVersion:s Description:s Parameters:[@DocumentParameter] PlatformTypes:[@PlatformType] DocumentType:@DocumentType SchemaVersion:s LatestVersion:s DefaultVersion:s DocumentFormat:@DocumentFormat TargetType:s..200 Tags:[@Tag] AttachmentsInformation:[@AttachmentInformation] Requires:[@DocumentRequires] Author:s ReviewInformation:[@ReviewInformation] ApprovedVersion:s PendingReviewVersion:s ReviewStatus:@ReviewStatus Category:[s..128] CategoryEnum:[s..128]
DocumentHashType = Sha256 Sha1
DocumentStatus = Creating Active Updating Deleting Failed
DocumentParameter Name:s Type:@DocumentParameterType Description:s DefaultValue:s
DocumentParameterType = String StringList
PlatformType = Windows Linux MacOS
DocumentType = Command Policy Automation Session Package ApplicationConfiguration ApplicationConfigurationSchema DeploymentStrategy ChangeCalendar Automation.ChangeTemplate ProblemAnalysis ProblemAnalysisTemplate CloudFormation ConformancePackTemplate QuickSetup ManualApprovalPolicy AutoApprovalPolicy
DocumentFormat = YAML JSON TEXT
Tag Key!:s1..128 Value!:s0..256
AttachmentInformation Name:s
DocumentRequires Name!:s Version:s RequireType:s..128 VersionName:s
ReviewInformation ReviewedTime:s Status:@ReviewStatus Reviewer:s..50
ReviewStatus = APPROVED NOT_REVIEWED PENDING REJECTED
CreateMaintenanceWindowResult WindowId:s20..20
CreateOpsItemResponse OpsItemId:s OpsItemArn:s20..2048
CreateOpsMetadataResult OpsMetadataArn:s1..1011
CreatePatchBaselineResult BaselineId:s20..128
CreateResourceDataSyncResult 
DeleteActivationResult 
DeleteAssociationResult 
DeleteDocumentResult 
DeleteInventoryResult DeletionId:s TypeName:s1..100 DeletionSummary:@InventoryDeletionSummary
InventoryDeletionSummary TotalCount:n RemainingCount:n SummaryItems:[@InventoryDeletionSummaryItem]
InventoryDeletionSummaryItem Version:s Count:n RemainingCount:n
DeleteMaintenanceWindowResult WindowId:s20..20
DeleteOpsItemResponse 
DeleteOpsMetadataResult 
DeleteParameterResult 
DeleteParametersResult DeletedParameters:[s1..2048] InvalidParameters:[s1..2048]
DeletePatchBaselineResult BaselineId:s20..128
DeleteResourceDataSyncResult 
DeleteResourcePolicyResponse 
DeregisterManagedInstanceResult 
DeregisterPatchBaselineForPatchGroupResult BaselineId:s20..128 PatchGroup:s1..256
DeregisterTargetFromMaintenanceWindowResult WindowId:s20..20 WindowTargetId:s36..36
DeregisterTaskFromMaintenanceWindowResult WindowId:s20..20 WindowTaskId:s36..36
DescribeActivationsResult ActivationList:[@Activation] NextToken:s
Activation ActivationId:s Description:s0..256 DefaultInstanceName:s0..256 IamRole:s..64 RegistrationLimit:n1..1000 RegistrationsCount:n1..1000 ExpirationDate:s Expired:b CreatedDate:s Tags:[@Tag]
DescribeAssociationResult AssociationDescription:@AssociationDescription
DescribeAssociationExecutionTargetsResult AssociationExecutionTargets:[@AssociationExecutionTarget] NextToken:s
AssociationExecutionTarget AssociationId:s AssociationVersion:s ExecutionId:s ResourceId:s1..100 ResourceType:s1..50 Status:s DetailedStatus:s LastExecutionDate:s OutputSource:@OutputSource
OutputSource OutputSourceId:s36..36 OutputSourceType:s
DescribeAssociationExecutionsResult AssociationExecutions:[@AssociationExecution] NextToken:s
AssociationExecution AssociationId:s AssociationVersion:s ExecutionId:s Status:s DetailedStatus:s CreatedTime:s LastExecutionDate:s ResourceCountByStatus:s AlarmConfiguration:@AlarmConfiguration TriggeredAlarms:[@AlarmStateInformation]
DescribeAutomationExecutionsResult AutomationExecutionMetadataList:[@AutomationExecutionMetadata] NextToken:s
AutomationExecutionMetadata AutomationExecutionId:s36..36 DocumentName:s DocumentVersion:s AutomationExecutionStatus:@AutomationExecutionStatus ExecutionStartTime:s ExecutionEndTime:s ExecutedBy:s LogFile:s Outputs:{[s1..512]} Mode:@ExecutionMode ParentAutomationExecutionId:s36..36 CurrentStepName:s CurrentAction:s FailureMessage:s TargetParameterName:s1..50 Targets:[@Target] TargetMaps:[{[s1..50]}] ResolvedTargets:@ResolvedTargets MaxConcurrency:s1..7 MaxErrors:s1..7 Target:s AutomationType:@AutomationType AlarmConfiguration:@AlarmConfiguration TriggeredAlarms:[@AlarmStateInformation] TargetLocationsURL:s AutomationSubtype:@AutomationSubtype ScheduledTime:s Runbooks:[@Runbook] OpsItemId:s AssociationId:s ChangeRequestName:s1..1024
AutomationExecutionStatus = Pending InProgress Waiting Success TimedOut Cancelling Cancelled Failed PendingApproval Approved Rejected Scheduled RunbookInProgress PendingChangeCalendarOverride ChangeCalendarOverrideApproved ChangeCalendarOverrideRejected CompletedWithSuccess CompletedWithFailure Exited
ExecutionMode = Auto Interactive
ResolvedTargets ParameterValues:[s] Truncated:b
AutomationType = CrossAccount Local
AutomationSubtype = ChangeRequest AccessRequest
Runbook DocumentName!:s DocumentVersion:s Parameters:{[s1..512]} TargetParameterName:s1..50 Targets:[@Target] TargetMaps:[{[s1..50]}] MaxConcurrency:s1..7 MaxErrors:s1..7 TargetLocations:[@TargetLocation]
DescribeAutomationStepExecutionsResult StepExecutions:[@StepExecution] NextToken:s
StepExecution StepName:s Action:s TimeoutSeconds:n OnFailure:s MaxAttempts:n ExecutionStartTime:s ExecutionEndTime:s StepStatus:@AutomationExecutionStatus ResponseCode:s Inputs:{s} Outputs:{[s1..512]} Response:s FailureMessage:s FailureDetails:@FailureDetails StepExecutionId:s OverriddenParameters:{[s1..512]} IsEnd:b NextStep:s IsCritical:b ValidNextSteps:[s1..65535] Targets:[@Target] TargetLocation:@TargetLocation TriggeredAlarms:[@AlarmStateInformation] ParentStepDetails:@ParentStepDetails
FailureDetails FailureStage:s FailureType:s Details:{[s1..512]}
ParentStepDetails StepExecutionId:s StepName:s Action:s Iteration:n IteratorValue:s
DescribeAvailablePatchesResult Patches:[@Patch] NextToken:s
Patch Id:s1..100 ReleaseDate:s Title:s Description:s ContentUrl:s Vendor:s ProductFamily:s Product:s Classification:s MsrcSeverity:s KbNumber:s MsrcNumber:s Language:s AdvisoryIds:[s] BugzillaIds:[s] CVEIds:[s] Name:s Epoch:n Version:s Release:s Arch:s Severity:s Repository:s
DescribeDocumentResult Document:@DocumentDescription
DescribeDocumentPermissionResponse AccountIds:[s] AccountSharingInfoList:[@AccountSharingInfo] NextToken:s
AccountSharingInfo AccountId:s SharedDocumentVersion:s..8
DescribeEffectiveInstanceAssociationsResult Associations:[@InstanceAssociation] NextToken:s
InstanceAssociation AssociationId:s InstanceId:s Content:s1.. AssociationVersion:s
DescribeEffectivePatchesForPatchBaselineResult EffectivePatches:[@EffectivePatch] NextToken:s
EffectivePatch Patch:@Patch PatchStatus:@PatchStatus
PatchStatus DeploymentStatus:@PatchDeploymentStatus ComplianceLevel:@PatchComplianceLevel ApprovalDate:s
PatchDeploymentStatus = APPROVED PENDING_APPROVAL EXPLICIT_APPROVED EXPLICIT_REJECTED
PatchComplianceLevel = CRITICAL HIGH MEDIUM LOW INFORMATIONAL UNSPECIFIED
DescribeInstanceAssociationsStatusResult InstanceAssociationStatusInfos:[@InstanceAssociationStatusInfo] NextToken:s
InstanceAssociationStatusInfo AssociationId:s Name:s DocumentVersion:s AssociationVersion:s InstanceId:s ExecutionDate:s Status:s DetailedStatus:s ExecutionSummary:s1..512 ErrorCode:s..10 OutputUrl:@InstanceAssociationOutputUrl AssociationName:s
InstanceAssociationOutputUrl S3OutputUrl:@S3OutputUrl
S3OutputUrl OutputUrl:s
DescribeInstanceInformationResult InstanceInformationList:[@InstanceInformation] NextToken:s
InstanceInformation InstanceId:s PingStatus:@PingStatus LastPingDateTime:s AgentVersion:s IsLatestVersion:b PlatformType:@PlatformType PlatformName:s PlatformVersion:s ActivationId:s IamRole:s..64 RegistrationDate:s ResourceType:@ResourceType Name:s IPAddress:s1..46 ComputerName:s1..255 AssociationStatus:s LastAssociationExecutionDate:s LastSuccessfulAssociationExecutionDate:s AssociationOverview:@InstanceAggregatedAssociationOverview SourceId:s0..128 SourceType:@SourceType
PingStatus = Online ConnectionLost Inactive
ResourceType = ManagedInstance EC2Instance
InstanceAggregatedAssociationOverview DetailedStatus:s InstanceAssociationStatusAggregatedCount:{n}
SourceType = AWS::EC2::Instance AWS::IoT::Thing AWS::SSM::ManagedInstance
DescribeInstancePatchStatesResult InstancePatchStates:[@InstancePatchState] NextToken:s
InstancePatchState InstanceId!:s PatchGroup!:s1..256 BaselineId!:s20..128 SnapshotId:s36..36 InstallOverrideList:s1..256 OwnerInformation:s1..128 InstalledCount:n InstalledOtherCount:n InstalledPendingRebootCount:n InstalledRejectedCount:n MissingCount:n FailedCount:n UnreportedNotApplicableCount:n NotApplicableCount:n AvailableSecurityUpdateCount:n OperationStartTime!:s OperationEndTime!:s Operation!:@PatchOperationType LastNoRebootInstallOperationTime:s RebootOption:@RebootOption CriticalNonCompliantCount:n SecurityNonCompliantCount:n OtherNonCompliantCount:n
PatchOperationType = Scan Install
RebootOption = RebootIfNeeded NoReboot
DescribeInstancePatchStatesForPatchGroupResult InstancePatchStates:[@InstancePatchState] NextToken:s
DescribeInstancePatchesResult Patches:[@PatchComplianceData] NextToken:s
PatchComplianceData Title!:s KBId!:s Classification!:s Severity!:s State!:@PatchComplianceDataState InstalledTime!:s CVEIds:s
PatchComplianceDataState = INSTALLED INSTALLED_OTHER INSTALLED_PENDING_REBOOT INSTALLED_REJECTED MISSING NOT_APPLICABLE FAILED AVAILABLE_SECURITY_UPDATE
DescribeInstancePropertiesResult InstanceProperties:[@InstanceProperty] NextToken:s
InstanceProperty Name:s..255 InstanceId:s InstanceType:s..120 InstanceRole:s..120 KeyName:s..255 InstanceState:s..120 Architecture:s..120 IPAddress:s1..46 LaunchTime:s PingStatus:@PingStatus LastPingDateTime:s AgentVersion:s PlatformType:@PlatformType PlatformName:s..120 PlatformVersion:s..120 ActivationId:s IamRole:s..64 RegistrationDate:s ResourceType:s ComputerName:s1..255 AssociationStatus:s LastAssociationExecutionDate:s LastSuccessfulAssociationExecutionDate:s AssociationOverview:@InstanceAggregatedAssociationOverview SourceId:s0..128 SourceType:@SourceType
DescribeInventoryDeletionsResult InventoryDeletions:[@InventoryDeletionStatusItem] NextToken:s
InventoryDeletionStatusItem DeletionId:s TypeName:s1..100 DeletionStartTime:s LastStatus:@InventoryDeletionStatus LastStatusMessage:s DeletionSummary:@InventoryDeletionSummary LastStatusUpdateTime:s
InventoryDeletionStatus = InProgress Complete
DescribeMaintenanceWindowExecutionTaskInvocationsResult WindowExecutionTaskInvocationIdentities:[@MaintenanceWindowExecutionTaskInvocationIdentity] NextToken:s
MaintenanceWindowExecutionTaskInvocationIdentity WindowExecutionId:s36..36 TaskExecutionId:s36..36 InvocationId:s36..36 ExecutionId:s TaskType:@MaintenanceWindowTaskType Parameters:s Status:@MaintenanceWindowExecutionStatus StatusDetails:s0..250 StartTime:s EndTime:s OwnerInformation:s1..128 WindowTargetId:s..36
MaintenanceWindowTaskType = RUN_COMMAND AUTOMATION STEP_FUNCTIONS LAMBDA
MaintenanceWindowExecutionStatus = PENDING IN_PROGRESS SUCCESS FAILED TIMED_OUT CANCELLING CANCELLED SKIPPED_OVERLAPPING
DescribeMaintenanceWindowExecutionTasksResult WindowExecutionTaskIdentities:[@MaintenanceWindowExecutionTaskIdentity] NextToken:s
MaintenanceWindowExecutionTaskIdentity WindowExecutionId:s36..36 TaskExecutionId:s36..36 Status:@MaintenanceWindowExecutionStatus StatusDetails:s0..250 StartTime:s EndTime:s TaskArn:s1..1600 TaskType:@MaintenanceWindowTaskType AlarmConfiguration:@AlarmConfiguration TriggeredAlarms:[@AlarmStateInformation]
DescribeMaintenanceWindowExecutionsResult WindowExecutions:[@MaintenanceWindowExecution] NextToken:s
MaintenanceWindowExecution WindowId:s20..20 WindowExecutionId:s36..36 Status:@MaintenanceWindowExecutionStatus StatusDetails:s0..250 StartTime:s EndTime:s
DescribeMaintenanceWindowScheduleResult ScheduledWindowExecutions:[@ScheduledWindowExecution] NextToken:s
ScheduledWindowExecution WindowId:s20..20 Name:s3..128 ExecutionTime:s
DescribeMaintenanceWindowTargetsResult Targets:[@MaintenanceWindowTarget] NextToken:s
MaintenanceWindowTarget WindowId:s20..20 WindowTargetId:s36..36 ResourceType:@MaintenanceWindowResourceType Targets:[@Target] OwnerInformation:s1..128 Name:s3..128 Description:s1..128
MaintenanceWindowResourceType = INSTANCE RESOURCE_GROUP
DescribeMaintenanceWindowTasksResult Tasks:[@MaintenanceWindowTask] NextToken:s
MaintenanceWindowTask WindowId:s20..20 WindowTaskId:s36..36 TaskArn:s1..1600 Type:@MaintenanceWindowTaskType Targets:[@Target] TaskParameters:{@MaintenanceWindowTaskParameterValueExpression} Priority:n0.. LoggingInfo:@LoggingInfo ServiceRoleArn:s MaxConcurrency:s1..7 MaxErrors:s1..7 Name:s3..128 Description:s1..128 CutoffBehavior:@MaintenanceWindowTaskCutoffBehavior AlarmConfiguration:@AlarmConfiguration
MaintenanceWindowTaskParameterValueExpression Values:[s1..255]
LoggingInfo S3BucketName!:s3..63 S3KeyPrefix:s..500 S3Region!:s3..20
MaintenanceWindowTaskCutoffBehavior = CONTINUE_TASK CANCEL_TASK
DescribeMaintenanceWindowsResult WindowIdentities:[@MaintenanceWindowIdentity] NextToken:s
MaintenanceWindowIdentity WindowId:s20..20 Name:s3..128 Description:s1..128 Enabled:b Duration:n1..24 Cutoff:n0..23 Schedule:s1..256 ScheduleTimezone:s ScheduleOffset:n1..6 EndDate:s StartDate:s NextExecutionTime:s
DescribeMaintenanceWindowsForTargetResult WindowIdentities:[@MaintenanceWindowIdentityForTarget] NextToken:s
MaintenanceWindowIdentityForTarget WindowId:s20..20 Name:s3..128
DescribeOpsItemsResponse NextToken:s OpsItemSummaries:[@OpsItemSummary]
OpsItemSummary CreatedBy:s CreatedTime:s LastModifiedBy:s LastModifiedTime:s Priority:n1..5 Source:s1..128 Status:@OpsItemStatus OpsItemId:s Title:s1..1024 OperationalData:{@OpsItemDataValue} Category:s1..64 Severity:s1..64 OpsItemType:s ActualStartTime:s ActualEndTime:s PlannedStartTime:s PlannedEndTime:s
OpsItemStatus = Open InProgress Resolved Pending TimedOut Cancelling Cancelled Failed CompletedWithSuccess CompletedWithFailure Scheduled RunbookInProgress PendingChangeCalendarOverride ChangeCalendarOverrideApproved ChangeCalendarOverrideRejected PendingApproval Approved Revoked Rejected Closed
OpsItemDataValue Value:s Type:@OpsItemDataType
OpsItemDataType = SearchableString String
DescribeParametersResult Parameters:[@ParameterMetadata] NextToken:s
ParameterMetadata Name:s1..2048 ARN:s Type:@ParameterType KeyId:s1..256 LastModifiedDate:s LastModifiedUser:s Description:s0..1024 AllowedPattern:s0..1024 Version:n Tier:@ParameterTier Policies:[@ParameterInlinePolicy] DataType:s0..128
ParameterType = String StringList SecureString
ParameterTier = Standard Advanced Intelligent-Tiering
ParameterInlinePolicy PolicyText:s PolicyType:s PolicyStatus:s
DescribePatchBaselinesResult BaselineIdentities:[@PatchBaselineIdentity] NextToken:s
PatchBaselineIdentity BaselineId:s20..128 BaselineName:s3..128 OperatingSystem:@OperatingSystem BaselineDescription:s1..1024 DefaultBaseline:b
OperatingSystem = WINDOWS AMAZON_LINUX AMAZON_LINUX_2 AMAZON_LINUX_2022 UBUNTU REDHAT_ENTERPRISE_LINUX SUSE CENTOS ORACLE_LINUX DEBIAN MACOS RASPBIAN ROCKY_LINUX ALMA_LINUX AMAZON_LINUX_2023
DescribePatchGroupStateResult Instances:n InstancesWithInstalledPatches:n InstancesWithInstalledOtherPatches:n InstancesWithInstalledPendingRebootPatches:n InstancesWithInstalledRejectedPatches:n InstancesWithMissingPatches:n InstancesWithFailedPatches:n InstancesWithNotApplicablePatches:n InstancesWithUnreportedNotApplicablePatches:n InstancesWithCriticalNonCompliantPatches:n InstancesWithSecurityNonCompliantPatches:n InstancesWithOtherNonCompliantPatches:n InstancesWithAvailableSecurityUpdates:n
DescribePatchGroupsResult Mappings:[@PatchGroupPatchBaselineMapping] NextToken:s
PatchGroupPatchBaselineMapping PatchGroup:s1..256 BaselineIdentity:@PatchBaselineIdentity
DescribePatchPropertiesResult Properties:[{s0..4096}] NextToken:s
DescribeSessionsResponse Sessions:[@Session] NextToken:s
Session SessionId:s1..96 Target:s1..400 Status:@SessionStatus StartDate:s EndDate:s DocumentName:s Owner:s1..256 Reason:s1..256 Details:s1..1024 OutputUrl:@SessionManagerOutputUrl MaxSessionDuration:s1..4 AccessType:@AccessType
SessionStatus = Connected Connecting Disconnected Terminated Terminating Failed
SessionManagerOutputUrl S3OutputUrl:s1..2083 CloudWatchOutputUrl:s1..2083
AccessType = Standard JustInTime
DisassociateOpsItemRelatedItemResponse 
GetAccessTokenResponse Credentials:@Credentials AccessRequestStatus:@AccessRequestStatus
Credentials AccessKeyId!:s SecretAccessKey!:s SessionToken!:s ExpirationTime!:s
AccessRequestStatus = Approved Rejected Revoked Expired Pending
GetAutomationExecutionResult AutomationExecution:@AutomationExecution
AutomationExecution AutomationExecutionId:s36..36 DocumentName:s DocumentVersion:s ExecutionStartTime:s ExecutionEndTime:s AutomationExecutionStatus:@AutomationExecutionStatus StepExecutions:[@StepExecution] StepExecutionsTruncated:b Parameters:{[s1..512]} Outputs:{[s1..512]} FailureMessage:s Mode:@ExecutionMode ParentAutomationExecutionId:s36..36 ExecutedBy:s CurrentStepName:s CurrentAction:s TargetParameterName:s1..50 Targets:[@Target] TargetMaps:[{[s1..50]}] ResolvedTargets:@ResolvedTargets MaxConcurrency:s1..7 MaxErrors:s1..7 Target:s TargetLocations:[@TargetLocation] ProgressCounters:@ProgressCounters AlarmConfiguration:@AlarmConfiguration TriggeredAlarms:[@AlarmStateInformation] TargetLocationsURL:s AutomationSubtype:@AutomationSubtype ScheduledTime:s Runbooks:[@Runbook] OpsItemId:s AssociationId:s ChangeRequestName:s1..1024 Variables:{[s1..512]}
ProgressCounters TotalSteps:n SuccessSteps:n FailedSteps:n CancelledSteps:n TimedOutSteps:n
GetCalendarStateResponse State:@CalendarState AtTime:s NextTransitionTime:s
CalendarState = OPEN CLOSED
GetCommandInvocationResult CommandId:s36..36 InstanceId:s Comment:s..100 DocumentName:s DocumentVersion:s PluginName:s4.. ResponseCode:n ExecutionStartDateTime:s ExecutionElapsedTime:s ExecutionEndDateTime:s Status:@CommandInvocationStatus StatusDetails:s0..100 StandardOutputContent:s..24000 StandardOutputUrl:s StandardErrorContent:s..8000 StandardErrorUrl:s CloudWatchOutputConfig:@CloudWatchOutputConfig
CommandInvocationStatus = Pending InProgress Delayed Success Cancelled TimedOut Failed Cancelling
CloudWatchOutputConfig CloudWatchLogGroupName:s1..512 CloudWatchOutputEnabled:b
GetConnectionStatusResponse Target:s1..400 Status:@ConnectionStatus
ConnectionStatus = connected notconnected
GetDefaultPatchBaselineResult BaselineId:s20..128 OperatingSystem:@OperatingSystem
GetDeployablePatchSnapshotForInstanceResult InstanceId:s SnapshotId:s36..36 SnapshotDownloadUrl:s Product:s
GetDocumentResult Name:s CreatedDate:s DisplayName:s..1024 VersionName:s DocumentVersion:s Status:@DocumentStatus StatusInformation:s Content:s1.. DocumentType:@DocumentType DocumentFormat:@DocumentFormat Requires:[@DocumentRequires] AttachmentsContent:[@AttachmentContent] ReviewStatus:@ReviewStatus
AttachmentContent Name:s Size:n Hash:s..256 HashType:@AttachmentHashType Url:s
AttachmentHashType = Sha256
GetExecutionPreviewResponse ExecutionPreviewId:s36..36 EndedAt:s Status:@ExecutionPreviewStatus StatusMessage:s ExecutionPreview:@ExecutionPreview
ExecutionPreviewStatus = Pending InProgress Success Failed
ExecutionPreview Automation:@AutomationExecutionPreview
AutomationExecutionPreview StepPreviews:{n} Regions:[s] TargetPreviews:[@TargetPreview] TotalAccounts:n
TargetPreview Count:n TargetType:s
GetInventoryResult Entities:[@InventoryResultEntity] NextToken:s
InventoryResultEntity Id:s Data:{@InventoryResultItem}
InventoryResultItem TypeName!:s1..100 SchemaVersion!:s CaptureTime:s ContentHash:s..256 Content!:[{s0..4096}]
GetInventorySchemaResult Schemas:[@InventoryItemSchema] NextToken:s
InventoryItemSchema TypeName!:s1..100 Version:s Attributes!:[@InventoryItemAttribute] DisplayName:s
InventoryItemAttribute Name!:s DataType!:@InventoryAttributeDataType
InventoryAttributeDataType = string number
GetMaintenanceWindowResult WindowId:s20..20 Name:s3..128 Description:s1..128 StartDate:s EndDate:s Schedule:s1..256 ScheduleTimezone:s ScheduleOffset:n1..6 NextExecutionTime:s Duration:n1..24 Cutoff:n0..23 AllowUnassociatedTargets:b Enabled:b CreatedDate:s ModifiedDate:s
GetMaintenanceWindowExecutionResult WindowExecutionId:s36..36 TaskIds:[s36..36] Status:@MaintenanceWindowExecutionStatus StatusDetails:s0..250 StartTime:s EndTime:s
GetMaintenanceWindowExecutionTaskResult WindowExecutionId:s36..36 TaskExecutionId:s36..36 TaskArn:s1..1600 ServiceRole:s Type:@MaintenanceWindowTaskType TaskParameters:[{@MaintenanceWindowTaskParameterValueExpression}] Priority:n0.. MaxConcurrency:s1..7 MaxErrors:s1..7 Status:@MaintenanceWindowExecutionStatus StatusDetails:s0..250 StartTime:s EndTime:s AlarmConfiguration:@AlarmConfiguration TriggeredAlarms:[@AlarmStateInformation]
GetMaintenanceWindowExecutionTaskInvocationResult WindowExecutionId:s36..36 TaskExecutionId:s36..36 InvocationId:s36..36 ExecutionId:s TaskType:@MaintenanceWindowTaskType Parameters:s Status:@MaintenanceWindowExecutionStatus StatusDetails:s0..250 StartTime:s EndTime:s OwnerInformation:s1..128 WindowTargetId:s..36
GetMaintenanceWindowTaskResult WindowId:s20..20 WindowTaskId:s36..36 Targets:[@Target] TaskArn:s1..1600 ServiceRoleArn:s TaskType:@MaintenanceWindowTaskType TaskParameters:{@MaintenanceWindowTaskParameterValueExpression} TaskInvocationParameters:@MaintenanceWindowTaskInvocationParameters Priority:n0.. MaxConcurrency:s1..7 MaxErrors:s1..7 LoggingInfo:@LoggingInfo Name:s3..128 Description:s1..128 CutoffBehavior:@MaintenanceWindowTaskCutoffBehavior AlarmConfiguration:@AlarmConfiguration
MaintenanceWindowTaskInvocationParameters RunCommand:@MaintenanceWindowRunCommandParameters Automation:@MaintenanceWindowAutomationParameters StepFunctions:@MaintenanceWindowStepFunctionsParameters Lambda:@MaintenanceWindowLambdaParameters
MaintenanceWindowRunCommandParameters Comment:s..100 CloudWatchOutputConfig:@CloudWatchOutputConfig DocumentHash:s..256 DocumentHashType:@DocumentHashType DocumentVersion:s NotificationConfig:@NotificationConfig OutputS3BucketName:s3..63 OutputS3KeyPrefix:s..500 Parameters:{[s]} ServiceRoleArn:s TimeoutSeconds:n30..2592000
NotificationConfig NotificationArn:s NotificationEvents:[@NotificationEvent] NotificationType:@NotificationType
NotificationEvent = All InProgress Success TimedOut Cancelled Failed
NotificationType = Command Invocation
MaintenanceWindowAutomationParameters DocumentVersion:s Parameters:{[s1..512]}
MaintenanceWindowStepFunctionsParameters Input:s..4096 Name:s1..80
MaintenanceWindowLambdaParameters ClientContext:s1..8000 Qualifier:s1..128 Payload:s..4096
GetOpsItemResponse OpsItem:@OpsItem
OpsItem CreatedBy:s OpsItemType:s CreatedTime:s Description:s1..2048 LastModifiedBy:s LastModifiedTime:s Notifications:[@OpsItemNotification] Priority:n1..5 RelatedOpsItems:[@RelatedOpsItem] Status:@OpsItemStatus OpsItemId:s Version:s Title:s1..1024 Source:s1..128 OperationalData:{@OpsItemDataValue} Category:s1..64 Severity:s1..64 ActualStartTime:s ActualEndTime:s PlannedStartTime:s PlannedEndTime:s OpsItemArn:s20..2048
OpsItemNotification Arn:s
RelatedOpsItem OpsItemId!:s
GetOpsMetadataResult ResourceId:s1..1024 Metadata:{@MetadataValue} NextToken:s
MetadataValue Value:s1..4096
GetOpsSummaryResult Entities:[@OpsEntity] NextToken:s
OpsEntity Id:s Data:{@OpsEntityItem}
OpsEntityItem CaptureTime:s Content:[{s0..4096}]
GetParameterResult Parameter:@Parameter
Parameter Name:s1..2048 Type:@ParameterType Value:s Version:n Selector:s0..128 SourceResult:s LastModifiedDate:s ARN:s DataType:s0..128
GetParameterHistoryResult Parameters:[@ParameterHistory] NextToken:s
ParameterHistory Name:s1..2048 Type:@ParameterType KeyId:s1..256 LastModifiedDate:s LastModifiedUser:s Description:s0..1024 Value:s AllowedPattern:s0..1024 Version:n Labels:[s1..100] Tier:@ParameterTier Policies:[@ParameterInlinePolicy] DataType:s0..128
GetParametersResult Parameters:[@Parameter] InvalidParameters:[s1..2048]
GetParametersByPathResult Parameters:[@Parameter] NextToken:s
GetPatchBaselineResult BaselineId:s20..128 Name:s3..128 OperatingSystem:@OperatingSystem GlobalFilters:@PatchFilterGroup ApprovalRules:@PatchRuleGroup ApprovedPatches:[s1..100] ApprovedPatchesComplianceLevel:@PatchComplianceLevel ApprovedPatchesEnableNonSecurity:b RejectedPatches:[s1..100] RejectedPatchesAction:@PatchAction PatchGroups:[s1..256] CreatedDate:s ModifiedDate:s Description:s1..1024 Sources:[@PatchSource] AvailableSecurityUpdatesComplianceStatus:@PatchComplianceStatus
PatchFilterGroup PatchFilters!:[@PatchFilter]
PatchFilter Key!:@PatchFilterKey Values!:[s1..64]
PatchFilterKey = ARCH ADVISORY_ID BUGZILLA_ID PATCH_SET PRODUCT PRODUCT_FAMILY CLASSIFICATION CVE_ID EPOCH MSRC_SEVERITY NAME PATCH_ID SECTION PRIORITY REPOSITORY RELEASE SEVERITY SECURITY VERSION
PatchRuleGroup PatchRules!:[@PatchRule]
PatchRule PatchFilterGroup!:@PatchFilterGroup ComplianceLevel:@PatchComplianceLevel ApproveAfterDays:n0..360 ApproveUntilDate:s1..10 EnableNonSecurity:b
PatchAction = ALLOW_AS_DEPENDENCY BLOCK
PatchSource Name!:s Products!:[s1..128] Configuration!:s1..1024
PatchComplianceStatus = COMPLIANT NON_COMPLIANT
GetPatchBaselineForPatchGroupResult BaselineId:s20..128 PatchGroup:s1..256 OperatingSystem:@OperatingSystem
GetResourcePoliciesResponse NextToken:s Policies:[@GetResourcePoliciesResponseEntry]
GetResourcePoliciesResponseEntry PolicyId:s PolicyHash:s Policy:s
GetServiceSettingResult ServiceSetting:@ServiceSetting
ServiceSetting SettingId:s1..1000 SettingValue:s1..4096 LastModifiedDate:s LastModifiedUser:s ARN:s Status:s
LabelParameterVersionResult InvalidLabels:[s1..100] ParameterVersion:n
ListAssociationVersionsResult AssociationVersions:[@AssociationVersionInfo] NextToken:s
AssociationVersionInfo AssociationId:s AssociationVersion:s CreatedDate:s Name:s DocumentVersion:s Parameters:{[s]} Targets:[@Target] ScheduleExpression:s1..256 OutputLocation:@InstanceAssociationOutputLocation AssociationName:s MaxErrors:s1..7 MaxConcurrency:s1..7 ComplianceSeverity:@AssociationComplianceSeverity SyncCompliance:@AssociationSyncCompliance ApplyOnlyAtCronInterval:b CalendarNames:[s] TargetLocations:[@TargetLocation] ScheduleOffset:n1..6 Duration:n1..24 TargetMaps:[{[s1..50]}]
ListAssociationsResult Associations:[@Association] NextToken:s
Association Name:s InstanceId:s AssociationId:s AssociationVersion:s DocumentVersion:s Targets:[@Target] LastExecutionDate:s Overview:@AssociationOverview ScheduleExpression:s1..256 AssociationName:s ScheduleOffset:n1..6 Duration:n1..24 TargetMaps:[{[s1..50]}]
ListCommandInvocationsResult CommandInvocations:[@CommandInvocation] NextToken:s
CommandInvocation CommandId:s36..36 InstanceId:s InstanceName:s..255 Comment:s..100 DocumentName:s DocumentVersion:s RequestedDateTime:s Status:@CommandInvocationStatus StatusDetails:s0..100 TraceOutput:s..2500 StandardOutputUrl:s StandardErrorUrl:s CommandPlugins:[@CommandPlugin] ServiceRole:s NotificationConfig:@NotificationConfig CloudWatchOutputConfig:@CloudWatchOutputConfig
CommandPlugin Name:s4.. Status:@CommandPluginStatus StatusDetails:s0..100 ResponseCode:n ResponseStartDateTime:s ResponseFinishDateTime:s Output:s..2500 StandardOutputUrl:s StandardErrorUrl:s OutputS3Region:s3..20 OutputS3BucketName:s3..63 OutputS3KeyPrefix:s..500
CommandPluginStatus = Pending InProgress Success TimedOut Cancelled Failed
ListCommandsResult Commands:[@Command] NextToken:s
Command CommandId:s36..36 DocumentName:s DocumentVersion:s Comment:s..100 ExpiresAfter:s Parameters:{[s]} InstanceIds:[s] Targets:[@Target] RequestedDateTime:s Status:@CommandStatus StatusDetails:s0..100 OutputS3Region:s3..20 OutputS3BucketName:s3..63 OutputS3KeyPrefix:s..500 MaxConcurrency:s1..7 MaxErrors:s1..7 TargetCount:n CompletedCount:n ErrorCount:n DeliveryTimedOutCount:n ServiceRole:s NotificationConfig:@NotificationConfig CloudWatchOutputConfig:@CloudWatchOutputConfig TimeoutSeconds:n30..2592000 AlarmConfiguration:@AlarmConfiguration TriggeredAlarms:[@AlarmStateInformation]
CommandStatus = Pending InProgress Success Cancelled Failed TimedOut Cancelling
ListComplianceItemsResult ComplianceItems:[@ComplianceItem] NextToken:s
ComplianceItem ComplianceType:s1..100 ResourceType:s1..50 ResourceId:s1..100 Id:s Title:s..500 Status:@ComplianceStatus Severity:@ComplianceSeverity ExecutionSummary:@ComplianceExecutionSummary Details:{s0..4096}
ComplianceStatus = COMPLIANT NON_COMPLIANT
ComplianceSeverity = CRITICAL HIGH MEDIUM LOW INFORMATIONAL UNSPECIFIED
ComplianceExecutionSummary ExecutionTime!:s ExecutionId:s..100 ExecutionType:s..50
ListComplianceSummariesResult ComplianceSummaryItems:[@ComplianceSummaryItem] NextToken:s
ComplianceSummaryItem ComplianceType:s1..100 CompliantSummary:@CompliantSummary NonCompliantSummary:@NonCompliantSummary
CompliantSummary CompliantCount:n SeveritySummary:@SeveritySummary
SeveritySummary CriticalCount:n HighCount:n MediumCount:n LowCount:n InformationalCount:n UnspecifiedCount:n
NonCompliantSummary NonCompliantCount:n SeveritySummary:@SeveritySummary
ListDocumentMetadataHistoryResponse Name:s DocumentVersion:s Author:s Metadata:@DocumentMetadataResponseInfo NextToken:s
DocumentMetadataResponseInfo ReviewerResponse:[@DocumentReviewerResponseSource]
DocumentReviewerResponseSource CreateTime:s UpdatedTime:s ReviewStatus:@ReviewStatus Comment:[@DocumentReviewCommentSource] Reviewer:s..50
DocumentReviewCommentSource Type:@DocumentReviewCommentType Content:s1..1024
DocumentReviewCommentType = Comment
ListDocumentVersionsResult DocumentVersions:[@DocumentVersionInfo] NextToken:s
DocumentVersionInfo Name:s DisplayName:s..1024 DocumentVersion:s VersionName:s CreatedDate:s IsDefaultVersion:b DocumentFormat:@DocumentFormat Status:@DocumentStatus StatusInformation:s ReviewStatus:@ReviewStatus
ListDocumentsResult DocumentIdentifiers:[@DocumentIdentifier] NextToken:s
DocumentIdentifier Name:s CreatedDate:s DisplayName:s..1024 Owner:s VersionName:s PlatformTypes:[@PlatformType] DocumentVersion:s DocumentType:@DocumentType SchemaVersion:s DocumentFormat:@DocumentFormat TargetType:s..200 Tags:[@Tag] Requires:[@DocumentRequires] ReviewStatus:@ReviewStatus Author:s
ListInventoryEntriesResult TypeName:s1..100 InstanceId:s SchemaVersion:s CaptureTime:s Entries:[{s0..4096}] NextToken:s
ListNodesResult Nodes:[@Node] NextToken:s
Node CaptureTime:s Id:s Owner:@NodeOwnerInfo Region:s1..64 NodeType:@NodeType
NodeOwnerInfo AccountId:s OrganizationalUnitId:s1..68 OrganizationalUnitPath:s1..512
NodeType Instance:@InstanceInfo
InstanceInfo AgentType:s1..255 AgentVersion:s ComputerName:s1..255 InstanceStatus:s1..255 IpAddress:s1..46 ManagedStatus:@ManagedStatus PlatformType:@PlatformType PlatformName:s..120 PlatformVersion:s..120 ResourceType:@ResourceType
ManagedStatus = All Managed Unmanaged
ListNodesSummaryResult Summary:[{s0..4096}] NextToken:s
ListOpsItemEventsResponse NextToken:s Summaries:[@OpsItemEventSummary]
OpsItemEventSummary OpsItemId:s EventId:s Source:s DetailType:s Detail:s CreatedBy:@OpsItemIdentity CreatedTime:s
OpsItemIdentity Arn:s
ListOpsItemRelatedItemsResponse NextToken:s Summaries:[@OpsItemRelatedItemSummary]
OpsItemRelatedItemSummary OpsItemId:s AssociationId:s ResourceType:s AssociationType:s ResourceUri:s CreatedBy:@OpsItemIdentity CreatedTime:s LastModifiedBy:@OpsItemIdentity LastModifiedTime:s
ListOpsMetadataResult OpsMetadataList:[@OpsMetadata] NextToken:s
OpsMetadata ResourceId:s1..1024 OpsMetadataArn:s1..1011 LastModifiedDate:s LastModifiedUser:s CreationDate:s
ListResourceComplianceSummariesResult ResourceComplianceSummaryItems:[@ResourceComplianceSummaryItem] NextToken:s
ResourceComplianceSummaryItem ComplianceType:s1..100 ResourceType:s1..50 ResourceId:s1..100 Status:@ComplianceStatus OverallSeverity:@ComplianceSeverity ExecutionSummary:@ComplianceExecutionSummary CompliantSummary:@CompliantSummary NonCompliantSummary:@NonCompliantSummary
ListResourceDataSyncResult ResourceDataSyncItems:[@ResourceDataSyncItem] NextToken:s
ResourceDataSyncItem SyncName:s1..64 SyncType:s1..64 SyncSource:@ResourceDataSyncSourceWithState S3Destination:@ResourceDataSyncS3Destination LastSyncTime:s LastSuccessfulSyncTime:s SyncLastModifiedTime:s LastStatus:@LastResourceDataSyncStatus SyncCreatedTime:s LastSyncStatusMessage:s
ResourceDataSyncSourceWithState SourceType:s1..64 AwsOrganizationsSource:@ResourceDataSyncAwsOrganizationsSource SourceRegions:[s1..64] IncludeFutureRegions:b State:s1..64 EnableAllOpsDataSources:b
ResourceDataSyncAwsOrganizationsSource OrganizationSourceType!:s1..64 OrganizationalUnits:[@ResourceDataSyncOrganizationalUnit]
ResourceDataSyncOrganizationalUnit OrganizationalUnitId:s1..128
ResourceDataSyncS3Destination BucketName!:s1..2048 Prefix:s1..256 SyncFormat!:@ResourceDataSyncS3Format Region!:s1..64 AWSKMSKeyARN:s1..512 DestinationDataSharing:@ResourceDataSyncDestinationDataSharing
ResourceDataSyncS3Format = JsonSerDe
ResourceDataSyncDestinationDataSharing DestinationDataSharingType:s1..64
LastResourceDataSyncStatus = Successful Failed InProgress
ListTagsForResourceResult TagList:[@Tag]
ModifyDocumentPermissionResponse 
PutComplianceItemsResult 
PutInventoryResult Message:s
PutParameterResult Version:n Tier:@ParameterTier
PutResourcePolicyResponse PolicyId:s PolicyHash:s
RegisterDefaultPatchBaselineResult BaselineId:s20..128
RegisterPatchBaselineForPatchGroupResult BaselineId:s20..128 PatchGroup:s1..256
RegisterTargetWithMaintenanceWindowResult WindowTargetId:s36..36
RegisterTaskWithMaintenanceWindowResult WindowTaskId:s36..36
RemoveTagsFromResourceResult 
ResetServiceSettingResult ServiceSetting:@ServiceSetting
ResumeSessionResponse SessionId:s1..96 TokenValue:s0..300 StreamUrl:s
SendAutomationSignalResult 
SendCommandResult Command:@Command
StartAccessRequestResponse AccessRequestId:s
StartAssociationsOnceResult 
StartAutomationExecutionResult AutomationExecutionId:s36..36
StartChangeRequestExecutionResult AutomationExecutionId:s36..36
StartExecutionPreviewResponse ExecutionPreviewId:s36..36
StartSessionResponse SessionId:s1..96 TokenValue:s0..300 StreamUrl:s
StopAutomationExecutionResult 
TerminateSessionResponse SessionId:s1..96
UnlabelParameterVersionResult RemovedLabels:[s1..100] InvalidLabels:[s1..100]
UpdateAssociationResult AssociationDescription:@AssociationDescription
UpdateAssociationStatusResult AssociationDescription:@AssociationDescription
UpdateDocumentResult DocumentDescription:@DocumentDescription
UpdateDocumentDefaultVersionResult Description:@DocumentDefaultVersionDescription
DocumentDefaultVersionDescription Name:s DefaultVersion:s DefaultVersionName:s
UpdateDocumentMetadataResponse 
UpdateMaintenanceWindowResult WindowId:s20..20 Name:s3..128 Description:s1..128 StartDate:s EndDate:s Schedule:s1..256 ScheduleTimezone:s ScheduleOffset:n1..6 Duration:n1..24 Cutoff:n0..23 AllowUnassociatedTargets:b Enabled:b
UpdateMaintenanceWindowTargetResult WindowId:s20..20 WindowTargetId:s36..36 Targets:[@Target] OwnerInformation:s1..128 Name:s3..128 Description:s1..128
UpdateMaintenanceWindowTaskResult WindowId:s20..20 WindowTaskId:s36..36 Targets:[@Target] TaskArn:s1..1600 ServiceRoleArn:s TaskParameters:{@MaintenanceWindowTaskParameterValueExpression} TaskInvocationParameters:@MaintenanceWindowTaskInvocationParameters Priority:n0.. MaxConcurrency:s1..7 MaxErrors:s1..7 LoggingInfo:@LoggingInfo Name:s3..128 Description:s1..128 CutoffBehavior:@MaintenanceWindowTaskCutoffBehavior AlarmConfiguration:@AlarmConfiguration
UpdateManagedInstanceRoleResult 
UpdateOpsItemResponse 
UpdateOpsMetadataResult OpsMetadataArn:s1..1011
UpdatePatchBaselineResult BaselineId:s20..128 Name:s3..128 OperatingSystem:@OperatingSystem GlobalFilters:@PatchFilterGroup ApprovalRules:@PatchRuleGroup ApprovedPatches:[s1..100] ApprovedPatchesComplianceLevel:@PatchComplianceLevel ApprovedPatchesEnableNonSecurity:b RejectedPatches:[s1..100] RejectedPatchesAction:@PatchAction CreatedDate:s ModifiedDate:s Description:s1..1024 Sources:[@PatchSource] AvailableSecurityUpdatesComplianceStatus:@PatchComplianceStatus
UpdateResourceDataSyncResult 
UpdateServiceSettingResult 
`;
