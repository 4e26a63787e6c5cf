/** Drawn by draw-models.ts: what the operations of sts answer. */
export default `
AssumeRole() @AssumeRoleResponse
AssumeRoleWithSAML() @AssumeRoleWithSAMLResponse
AssumeRoleWithWebIdentity() @AssumeRoleWithWebIdentityResponse
AssumeRoot() @AssumeRootResponse
DecodeAuthorizationMessage() @DecodeAuthorizationMessageResponse
GetAccessKeyInfo() @GetAccessKeyInfoResponse
GetCallerIdentity() @GetCallerIdentityResponse
GetFederationToken() @GetFederationTokenResponse
GetSessionToken() @GetSessionTokenResponse
AssumeRoleResponse Credentials:@Credentials AssumedRoleUser:@AssumedRoleUser PackedPolicySize:n0.. SourceIdentity:s2..64
Credentials AccessKeyId!:s16..128 SecretAccessKey!:s SessionToken!:s Expiration!:s
AssumedRoleUser AssumedRoleId!:s2..193 Arn!:s20..2048
AssumeRoleWithSAMLResponse Credentials:@Credentials AssumedRoleUser:@AssumedRoleUser PackedPolicySize:n0.. Subject:s SubjectType:s Issuer:s Audience:s NameQualifier:s SourceIdentity:s2..64
AssumeRoleWithWebIdentityResponse Credentials:@Credentials SubjectFromWebIdentityToken:s6..255 AssumedRoleUser:@AssumedRoleUser PackedPolicySize:n0.. Provider:s Audience:s SourceIdentity:s2..64
AssumeRootResponse Credentials:@Credentials SourceIdentity:s2..64
DecodeAuthorizationMessageResponse DecodedMessage:s
GetAccessKeyInfoResponse Account:s
GetCallerIdentityResponse UserId:s Account:s Arn:s20..2048
GetFederationTokenResponse Credentials:@Credentials FederatedUser:@FederatedUser PackedPolicySize:n0..
FederatedUser FederatedUserId!:s2..193 Arn!:s20..2048
GetSessionTokenResponse Credentials:@Credentials
`;
