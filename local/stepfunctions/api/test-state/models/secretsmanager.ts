/** Drawn by draw-models.ts: what the operations of secretsmanager answer. */
export default `
BatchGetSecretValue() @BatchGetSecretValueResponse
CancelRotateSecret() @CancelRotateSecretResponse
CreateSecret() @CreateSecretResponse
DeleteResourcePolicy() @DeleteResourcePolicyResponse
DeleteSecret() @DeleteSecretResponse
DescribeSecret() @DescribeSecretResponse
GetRandomPassword() @GetRandomPasswordResponse
GetResourcePolicy() @GetResourcePolicyResponse
GetSecretValue() @GetSecretValueResponse
ListSecretVersionIds() @ListSecretVersionIdsResponse
ListSecrets() @ListSecretsResponse
PutResourcePolicy() @PutResourcePolicyResponse
PutSecretValue() @PutSecretValueResponse
RemoveRegionsFromReplication() @RemoveRegionsFromReplicationResponse
ReplicateSecretToRegions() @ReplicateSecretToRegionsResponse
RestoreSecret() @RestoreSecretResponse
RotateSecret() @RotateSecretResponse
StopReplicationToReplica() @StopReplicationToReplicaResponse
UpdateSecret() @UpdateSecretResponse
UpdateSecretVersionStage() @UpdateSecretVersionStageResponse
ValidateResourcePolicy() @ValidateResourcePolicyResponse
BatchGetSecretValueResponse SecretValues:[@SecretValueEntry] NextToken:s1..4096 Errors:[@APIErrorType]
SecretValueEntry ARN:s20..2048 Name:s1..256 VersionId:s32..64 SecretBinary:s1..65536 SecretString:s1..65536 VersionStages:[s1..256] CreatedDate:s
APIErrorType SecretId:s1..2048 ErrorCode:s Message:s
CancelRotateSecretResponse ARN:s20..2048 Name:s1..256 VersionId:s32..64
CreateSecretResponse ARN:s20..2048 Name:s1..256 VersionId:s32..64 ReplicationStatus:[@ReplicationStatusType]
ReplicationStatusType Region:s1..128 KmsKeyId:s0..2048 Status:@StatusType StatusMessage:s1..4096 LastAccessedDate:s
StatusType = InSync Failed InProgress
DeleteResourcePolicyResponse ARN:s20..2048 Name:s1..512
DeleteSecretResponse ARN:s20..2048 Name:s1..256 DeletionDate:s
DescribeSecretResponse ARN:s20..2048 Name:s1..256 Description:s..2048 KmsKeyId:s0..2048 RotationEnabled:b RotationLambdaARN:s0..2048 RotationRules:@RotationRulesType LastRotatedDate:s LastChangedDate:s LastAccessedDate:s DeletedDate:s NextRotationDate:s Tags:[@Tag] VersionIdsToStages:{[s1..256]} OwningService:s1..128 CreatedDate:s PrimaryRegion:s1..128 ReplicationStatus:[@ReplicationStatusType]
RotationRulesType AutomaticallyAfterDays:n1..1000 Duration:s2..3 ScheduleExpression:s1..256
Tag Key:s1..128 Value:s0..256
GetRandomPasswordResponse RandomPassword:s0..4096
GetResourcePolicyResponse ARN:s20..2048 Name:s1..512 ResourcePolicy:s1..20480
GetSecretValueResponse ARN:s20..2048 Name:s1..256 VersionId:s32..64 SecretBinary:s1..65536 SecretString:s1..65536 VersionStages:[s1..256] CreatedDate:s
ListSecretVersionIdsResponse Versions:[@SecretVersionsListEntry] NextToken:s1..4096 ARN:s20..2048 Name:s1..256
SecretVersionsListEntry VersionId:s32..64 VersionStages:[s1..256] LastAccessedDate:s CreatedDate:s KmsKeyIds:[s0..2048]
ListSecretsResponse SecretList:[@SecretListEntry] NextToken:s1..4096
SecretListEntry ARN:s20..2048 Name:s1..256 Description:s..2048 KmsKeyId:s0..2048 RotationEnabled:b RotationLambdaARN:s0..2048 RotationRules:@RotationRulesType LastRotatedDate:s LastChangedDate:s LastAccessedDate:s DeletedDate:s NextRotationDate:s Tags:[@Tag] SecretVersionsToStages:{[s1..256]} OwningService:s1..128 CreatedDate:s PrimaryRegion:s1..128
PutResourcePolicyResponse ARN:s20..2048 Name:s1..512
PutSecretValueResponse ARN:s20..2048 Name:s1..256 VersionId:s32..64 VersionStages:[s1..256]
RemoveRegionsFromReplicationResponse ARN:s20..2048 ReplicationStatus:[@ReplicationStatusType]
ReplicateSecretToRegionsResponse ARN:s20..2048 ReplicationStatus:[@ReplicationStatusType]
RestoreSecretResponse ARN:s20..2048 Name:s1..256
RotateSecretResponse ARN:s20..2048 Name:s1..256 VersionId:s32..64
StopReplicationToReplicaResponse ARN:s20..2048
UpdateSecretResponse ARN:s20..2048 Name:s1..256 VersionId:s32..64
UpdateSecretVersionStageResponse ARN:s20..2048 Name:s1..256
ValidateResourcePolicyResponse PolicyValidationPassed:b ValidationErrors:[@ValidationErrorsEntry]
ValidationErrorsEntry CheckName:s1..512 ErrorMessage:s
`;
