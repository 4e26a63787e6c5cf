/** Drawn by draw-models.ts: what the operations of sns answer. */
export default `
CheckIfPhoneNumberIsOptedOut() @CheckIfPhoneNumberIsOptedOutResponse
ConfirmSubscription() @ConfirmSubscriptionResponse
CreatePlatformApplication() @CreatePlatformApplicationResponse
CreatePlatformEndpoint() @CreateEndpointResponse
CreateSMSSandboxPhoneNumber() @CreateSMSSandboxPhoneNumberResult
CreateTopic() @CreateTopicResponse
DeleteSMSSandboxPhoneNumber() @DeleteSMSSandboxPhoneNumberResult
GetDataProtectionPolicy() @GetDataProtectionPolicyResponse
GetEndpointAttributes() @GetEndpointAttributesResponse
GetPlatformApplicationAttributes() @GetPlatformApplicationAttributesResponse
GetSMSAttributes() @GetSMSAttributesResponse
GetSMSSandboxAccountStatus() @GetSMSSandboxAccountStatusResult
GetSubscriptionAttributes() @GetSubscriptionAttributesResponse
GetTopicAttributes() @GetTopicAttributesResponse
ListEndpointsByPlatformApplication() @ListEndpointsByPlatformApplicationResponse
ListOriginationNumbers() @ListOriginationNumbersResult
ListPhoneNumbersOptedOut() @ListPhoneNumbersOptedOutResponse
ListPlatformApplications() @ListPlatformApplicationsResponse
ListSMSSandboxPhoneNumbers() @ListSMSSandboxPhoneNumbersResult
ListSubscriptions() @ListSubscriptionsResponse
ListSubscriptionsByTopic() @ListSubscriptionsByTopicResponse
ListTagsForResource() @ListTagsForResourceResponse
ListTopics() @ListTopicsResponse
OptInPhoneNumber() @OptInPhoneNumberResponse
Publish() @PublishResponse
PublishBatch() @PublishBatchResponse
SetSMSAttributes() @SetSMSAttributesResponse
Subscribe() @SubscribeResponse
TagResource() @TagResourceResponse
UntagResource() @UntagResourceResponse
VerifySMSSandboxPhoneNumber() @VerifySMSSandboxPhoneNumberResult
CheckIfPhoneNumberIsOptedOutResponse isOptedOut:b
ConfirmSubscriptionResponse SubscriptionArn:s
CreatePlatformApplicationResponse PlatformApplicationArn:s
CreateEndpointResponse EndpointArn:s
CreateSMSSandboxPhoneNumberResult 
CreateTopicResponse TopicArn:s
DeleteSMSSandboxPhoneNumberResult 
GetDataProtectionPolicyResponse DataProtectionPolicy:s
GetEndpointAttributesResponse Attributes:{s}
GetPlatformApplicationAttributesResponse Attributes:{s}
GetSMSAttributesResponse attributes:{s}
GetSMSSandboxAccountStatusResult IsInSandbox!:b
GetSubscriptionAttributesResponse Attributes:{s}
GetTopicAttributesResponse Attributes:{s}
ListEndpointsByPlatformApplicationResponse Endpoints:[@Endpoint] NextToken:s
Endpoint EndpointArn:s Attributes:{s}
ListOriginationNumbersResult NextToken:s PhoneNumbers:[@PhoneNumberInformation]
PhoneNumberInformation CreatedAt:s PhoneNumber:s Status:s Iso2CountryCode:s..2 RouteType:@RouteType NumberCapabilities:[@NumberCapability]
RouteType = Transactional Promotional Premium
NumberCapability = SMS MMS VOICE
ListPhoneNumbersOptedOutResponse phoneNumbers:[s] nextToken:s
ListPlatformApplicationsResponse PlatformApplications:[@PlatformApplication] NextToken:s
PlatformApplication PlatformApplicationArn:s Attributes:{s}
ListSMSSandboxPhoneNumbersResult PhoneNumbers!:[@SMSSandboxPhoneNumber] NextToken:s
SMSSandboxPhoneNumber PhoneNumber:s..20 Status:@SMSSandboxPhoneNumberVerificationStatus
SMSSandboxPhoneNumberVerificationStatus = Pending Verified
ListSubscriptionsResponse Subscriptions:[@Subscription] NextToken:s
Subscription SubscriptionArn:s Owner:s Protocol:s Endpoint:s TopicArn:s
ListSubscriptionsByTopicResponse Subscriptions:[@Subscription] NextToken:s
ListTagsForResourceResponse Tags:[@Tag]
Tag Key!:s1..128 Value!:s0..256
ListTopicsResponse Topics:[@Topic] NextToken:s
Topic TopicArn:s
OptInPhoneNumberResponse 
PublishResponse MessageId:s SequenceNumber:s
PublishBatchResponse Successful:[@PublishBatchResultEntry] Failed:[@BatchResultErrorEntry]
PublishBatchResultEntry Id:s MessageId:s SequenceNumber:s
BatchResultErrorEntry Id!:s Code!:s Message:s SenderFault!:b
SetSMSAttributesResponse 
SubscribeResponse SubscriptionArn:s
TagResourceResponse 
UntagResourceResponse 
VerifySMSSandboxPhoneNumberResult 
`;
