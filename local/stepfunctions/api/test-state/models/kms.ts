/** Drawn by draw-models.ts: what the operations of kms answer. */
export default `
CancelKeyDeletion() @CancelKeyDeletionResponse
ConnectCustomKeyStore() @ConnectCustomKeyStoreResponse
CreateCustomKeyStore() @CreateCustomKeyStoreResponse
CreateGrant() @CreateGrantResponse
CreateKey() @CreateKeyResponse
Decrypt() @DecryptResponse
DeleteCustomKeyStore() @DeleteCustomKeyStoreResponse
DeleteImportedKeyMaterial() @DeleteImportedKeyMaterialResponse
DeriveSharedSecret() @DeriveSharedSecretResponse
DescribeCustomKeyStores() @DescribeCustomKeyStoresResponse
DescribeKey() @DescribeKeyResponse
DisconnectCustomKeyStore() @DisconnectCustomKeyStoreResponse
Encrypt() @EncryptResponse
GenerateDataKey() @GenerateDataKeyResponse
GenerateDataKeyPair() @GenerateDataKeyPairResponse
GenerateDataKeyPairWithoutPlaintext() @GenerateDataKeyPairWithoutPlaintextResponse
GenerateDataKeyWithoutPlaintext() @GenerateDataKeyWithoutPlaintextResponse
GenerateMac() @GenerateMacResponse
GenerateRandom() @GenerateRandomResponse
GetKeyPolicy() @GetKeyPolicyResponse
GetKeyRotationStatus() @GetKeyRotationStatusResponse
GetParametersForImport() @GetParametersForImportResponse
GetPublicKey() @GetPublicKeyResponse
ImportKeyMaterial() @ImportKeyMaterialResponse
ListAliases() @ListAliasesResponse
ListGrants() @ListGrantsResponse
ListKeyPolicies() @ListKeyPoliciesResponse
ListKeyRotations() @ListKeyRotationsResponse
ListKeys() @ListKeysResponse
ListResourceTags() @ListResourceTagsResponse
ListRetirableGrants() @ListGrantsResponse
ReEncrypt() @ReEncryptResponse
ReplicateKey() @ReplicateKeyResponse
RotateKeyOnDemand() @RotateKeyOnDemandResponse
ScheduleKeyDeletion() @ScheduleKeyDeletionResponse
Sign() @SignResponse
UpdateCustomKeyStore() @UpdateCustomKeyStoreResponse
Verify() @VerifyResponse
VerifyMac() @VerifyMacResponse
CancelKeyDeletionResponse KeyId:s1..2048
ConnectCustomKeyStoreResponse 
CreateCustomKeyStoreResponse CustomKeyStoreId:s1..64
CreateGrantResponse GrantToken:s1..8192 GrantId:s1..128
CreateKeyResponse KeyMetadata:@KeyMetadata
KeyMetadata AWSAccountId:s KeyId!:s1..2048 Arn:s20..2048 CreationDate:s Enabled:b Description:s0..8192 KeyUsage:@KeyUsageType KeyState:@KeyState DeletionDate:s ValidTo:s Origin:@OriginType CustomKeyStoreId:s1..64 CloudHsmClusterId:s19..24 ExpirationModel:@ExpirationModelType KeyManager:@KeyManagerType CustomerMasterKeySpec:@CustomerMasterKeySpec KeySpec:@KeySpec EncryptionAlgorithms:[@EncryptionAlgorithmSpec] SigningAlgorithms:[@SigningAlgorithmSpec] KeyAgreementAlgorithms:[@KeyAgreementAlgorithmSpec] MultiRegion:b MultiRegionConfiguration:@MultiRegionConfiguration PendingDeletionWindowInDays:n1..365 MacAlgorithms:[@MacAlgorithmSpec] XksKeyConfiguration:@XksKeyConfigurationType CurrentKeyMaterialId:s64..64
KeyUsageType = SIGN_VERIFY ENCRYPT_DECRYPT GENERATE_VERIFY_MAC KEY_AGREEMENT
KeyState = Creating Enabled Disabled PendingDeletion PendingImport PendingReplicaDeletion Unavailable Updating
OriginType = AWS_KMS EXTERNAL AWS_CLOUDHSM EXTERNAL_KEY_STORE
ExpirationModelType = KEY_MATERIAL_EXPIRES KEY_MATERIAL_DOES_NOT_EXPIRE
KeyManagerType = AWS CUSTOMER
CustomerMasterKeySpec = RSA_2048 RSA_3072 RSA_4096 ECC_NIST_P256 ECC_NIST_P384 ECC_NIST_P521 ECC_SECG_P256K1 SYMMETRIC_DEFAULT HMAC_224 HMAC_256 HMAC_384 HMAC_512 SM2
KeySpec = RSA_2048 RSA_3072 RSA_4096 ECC_NIST_P256 ECC_NIST_P384 ECC_NIST_P521 ECC_SECG_P256K1 SYMMETRIC_DEFAULT HMAC_224 HMAC_256 HMAC_384 HMAC_512 SM2 ML_DSA_44 ML_DSA_65 ML_DSA_87
EncryptionAlgorithmSpec = SYMMETRIC_DEFAULT RSAES_OAEP_SHA_1 RSAES_OAEP_SHA_256 SM2PKE
SigningAlgorithmSpec = RSASSA_PSS_SHA_256 RSASSA_PSS_SHA_384 RSASSA_PSS_SHA_512 RSASSA_PKCS1_V1_5_SHA_256 RSASSA_PKCS1_V1_5_SHA_384 RSASSA_PKCS1_V1_5_SHA_512 ECDSA_SHA_256 ECDSA_SHA_384 ECDSA_SHA_512 SM2DSA ML_DSA_SHAKE_256
KeyAgreementAlgorithmSpec = ECDH
MultiRegionConfiguration MultiRegionKeyType:@MultiRegionKeyType PrimaryKey:@MultiRegionKey ReplicaKeys:[@MultiRegionKey]
MultiRegionKeyType = PRIMARY REPLICA
MultiRegionKey Arn:s20..2048 Region:s1..32
MacAlgorithmSpec = HMAC_SHA_224 HMAC_SHA_256 HMAC_SHA_384 HMAC_SHA_512
XksKeyConfigurationType Id:s1..128
DecryptResponse KeyId:s1..2048 Plaintext:s1..4096 EncryptionAlgorithm:@EncryptionAlgorithmSpec CiphertextForRecipient:s1..6144 KeyMaterialId:s64..64
DeleteCustomKeyStoreResponse 
DeleteImportedKeyMaterialResponse KeyId:s1..2048 KeyMaterialId:s0..64
DeriveSharedSecretResponse KeyId:s1..2048 SharedSecret:s1..4096 CiphertextForRecipient:s1..6144 KeyAgreementAlgorithm:@KeyAgreementAlgorithmSpec KeyOrigin:@OriginType
DescribeCustomKeyStoresResponse CustomKeyStores:[@CustomKeyStoresListEntry] NextMarker:s1..1024 Truncated:b
CustomKeyStoresListEntry CustomKeyStoreId:s1..64 CustomKeyStoreName:s1..256 CloudHsmClusterId:s19..24 TrustAnchorCertificate:s1..5000 ConnectionState:@ConnectionStateType ConnectionErrorCode:@ConnectionErrorCodeType CreationDate:s CustomKeyStoreType:@CustomKeyStoreType XksProxyConfiguration:@XksProxyConfigurationType
ConnectionStateType = CONNECTED CONNECTING FAILED DISCONNECTED DISCONNECTING
ConnectionErrorCodeType = INVALID_CREDENTIALS CLUSTER_NOT_FOUND NETWORK_ERRORS INTERNAL_ERROR INSUFFICIENT_CLOUDHSM_HSMS USER_LOCKED_OUT USER_NOT_FOUND USER_LOGGED_IN SUBNET_NOT_FOUND INSUFFICIENT_FREE_ADDRESSES_IN_SUBNET XKS_PROXY_ACCESS_DENIED XKS_PROXY_NOT_REACHABLE XKS_VPC_ENDPOINT_SERVICE_NOT_FOUND XKS_PROXY_INVALID_RESPONSE XKS_PROXY_INVALID_CONFIGURATION XKS_VPC_ENDPOINT_SERVICE_INVALID_CONFIGURATION XKS_PROXY_TIMED_OUT XKS_PROXY_INVALID_TLS_CONFIGURATION
CustomKeyStoreType = AWS_CLOUDHSM EXTERNAL_KEY_STORE
XksProxyConfigurationType Connectivity:@XksProxyConnectivityType AccessKeyId:s20..30 UriEndpoint:s10..128 UriPath:s10..128 VpcEndpointServiceName:s20..64
XksProxyConnectivityType = PUBLIC_ENDPOINT VPC_ENDPOINT_SERVICE
DescribeKeyResponse KeyMetadata:@KeyMetadata
DisconnectCustomKeyStoreResponse 
EncryptResponse CiphertextBlob:s1..6144 KeyId:s1..2048 EncryptionAlgorithm:@EncryptionAlgorithmSpec
GenerateDataKeyResponse CiphertextBlob:s1..6144 Plaintext:s1..4096 KeyId:s1..2048 CiphertextForRecipient:s1..6144 KeyMaterialId:s64..64
GenerateDataKeyPairResponse PrivateKeyCiphertextBlob:s1..6144 PrivateKeyPlaintext:s1..4096 PublicKey:s1..8192 KeyId:s1..2048 KeyPairSpec:@DataKeyPairSpec CiphertextForRecipient:s1..6144 KeyMaterialId:s64..64
DataKeyPairSpec = RSA_2048 RSA_3072 RSA_4096 ECC_NIST_P256 ECC_NIST_P384 ECC_NIST_P521 ECC_SECG_P256K1 SM2
GenerateDataKeyPairWithoutPlaintextResponse PrivateKeyCiphertextBlob:s1..6144 PublicKey:s1..8192 KeyId:s1..2048 KeyPairSpec:@DataKeyPairSpec KeyMaterialId:s64..64
GenerateDataKeyWithoutPlaintextResponse CiphertextBlob:s1..6144 KeyId:s1..2048 KeyMaterialId:s64..64
GenerateMacResponse Mac:s1..6144 MacAlgorithm:@MacAlgorithmSpec KeyId:s1..2048
GenerateRandomResponse Plaintext:s1..4096 CiphertextForRecipient:s1..6144
GetKeyPolicyResponse Policy:s1..131072 PolicyName:s1..128
GetKeyRotationStatusResponse KeyRotationEnabled:b KeyId:s1..2048 RotationPeriodInDays:n90..2560 NextRotationDate:s OnDemandRotationStartDate:s
GetParametersForImportResponse KeyId:s1..2048 ImportToken:s1..6144 PublicKey:s1..4096 ParametersValidTo:s
GetPublicKeyResponse KeyId:s1..2048 PublicKey:s1..8192 CustomerMasterKeySpec:@CustomerMasterKeySpec KeySpec:@KeySpec KeyUsage:@KeyUsageType EncryptionAlgorithms:[@EncryptionAlgorithmSpec] SigningAlgorithms:[@SigningAlgorithmSpec] KeyAgreementAlgorithms:[@KeyAgreementAlgorithmSpec]
ImportKeyMaterialResponse KeyId:s1..2048 KeyMaterialId:s64..64
ListAliasesResponse Aliases:[@AliasListEntry] NextMarker:s1..1024 Truncated:b
AliasListEntry AliasName:s1..256 AliasArn:s20..2048 TargetKeyId:s1..2048 CreationDate:s LastUpdatedDate:s
ListGrantsResponse Grants:[@GrantListEntry] NextMarker:s1..1024 Truncated:b
GrantListEntry KeyId:s1..2048 GrantId:s1..128 Name:s1..256 CreationDate:s GranteePrincipal:s1..256 RetiringPrincipal:s1..256 IssuingAccount:s1..256 Operations:[@GrantOperation] Constraints:@GrantConstraints
GrantOperation = Decrypt Encrypt GenerateDataKey GenerateDataKeyWithoutPlaintext ReEncryptFrom ReEncryptTo Sign Verify GetPublicKey CreateGrant RetireGrant DescribeKey GenerateDataKeyPair GenerateDataKeyPairWithoutPlaintext GenerateMac VerifyMac DeriveSharedSecret
GrantConstraints EncryptionContextSubset:{s} EncryptionContextEquals:{s}
ListKeyPoliciesResponse PolicyNames:[s1..128] NextMarker:s1..1024 Truncated:b
ListKeyRotationsResponse Rotations:[@RotationsListEntry] NextMarker:s1..1024 Truncated:b
RotationsListEntry KeyId:s1..2048 KeyMaterialId:s64..64 KeyMaterialDescription:s0..256 ImportState:@ImportState KeyMaterialState:@KeyMaterialState ExpirationModel:@ExpirationModelType ValidTo:s RotationDate:s RotationType:@RotationType
ImportState = IMPORTED PENDING_IMPORT
KeyMaterialState = NON_CURRENT CURRENT PENDING_ROTATION
RotationType = AUTOMATIC ON_DEMAND
ListKeysResponse Keys:[@KeyListEntry] NextMarker:s1..1024 Truncated:b
KeyListEntry KeyId:s1..2048 KeyArn:s20..2048
ListResourceTagsResponse Tags:[@Tag] NextMarker:s1..1024 Truncated:b
Tag TagKey!:s1..128 TagValue!:s0..256
ReEncryptResponse CiphertextBlob:s1..6144 SourceKeyId:s1..2048 KeyId:s1..2048 SourceEncryptionAlgorithm:@EncryptionAlgorithmSpec DestinationEncryptionAlgorithm:@EncryptionAlgorithmSpec SourceKeyMaterialId:s64..64 DestinationKeyMaterialId:s64..64
ReplicateKeyResponse ReplicaKeyMetadata:@KeyMetadata ReplicaPolicy:s1..131072 ReplicaTags:[@Tag]
RotateKeyOnDemandResponse KeyId:s1..2048
ScheduleKeyDeletionResponse KeyId:s1..2048 DeletionDate:s KeyState:@KeyState PendingWindowInDays:n1..365
SignResponse KeyId:s1..2048 Signature:s1..6144 SigningAlgorithm:@SigningAlgorithmSpec
UpdateCustomKeyStoreResponse 
VerifyResponse KeyId:s1..2048 SignatureValid:b SigningAlgorithm:@SigningAlgorithmSpec
VerifyMacResponse KeyId:s1..2048 MacValid:b MacAlgorithm:@MacAlgorithmSpec
`;
