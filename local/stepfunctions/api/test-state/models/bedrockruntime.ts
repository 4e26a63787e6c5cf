/** Drawn by draw-models.ts: what the operations of bedrockruntime answer. */
export default `
ApplyGuardrail() @ApplyGuardrailResponse
Converse() @ConverseResponse
ConverseStream() @ConverseStreamResponse
CountTokens() @CountTokensResponse
GetAsyncInvoke() @GetAsyncInvokeResponse
InvokeModel() @InvokeModelResponse
InvokeModelWithBidirectionalStream() @InvokeModelWithBidirectionalStreamResponse
InvokeModelWithResponseStream() @InvokeModelWithResponseStreamResponse
ListAsyncInvokes() @ListAsyncInvokesResponse
StartAsyncInvoke() @StartAsyncInvokeResponse
ApplyGuardrailResponse usage!:@GuardrailUsage action!:@GuardrailAction actionReason:s outputs!:[@GuardrailOutputContent] assessments!:[@GuardrailAssessment] guardrailCoverage:@GuardrailCoverage
GuardrailUsage topicPolicyUnits!:n contentPolicyUnits!:n wordPolicyUnits!:n sensitiveInformationPolicyUnits!:n sensitiveInformationPolicyFreeUnits!:n contextualGroundingPolicyUnits!:n contentPolicyImageUnits:n automatedReasoningPolicyUnits:n automatedReasoningPolicies:n
GuardrailAction = NONE GUARDRAIL_INTERVENED
GuardrailOutputContent text:s
GuardrailAssessment topicPolicy:@GuardrailTopicPolicyAssessment contentPolicy:@GuardrailContentPolicyAssessment wordPolicy:@GuardrailWordPolicyAssessment sensitiveInformationPolicy:@GuardrailSensitiveInformationPolicyAssessment contextualGroundingPolicy:@GuardrailContextualGroundingPolicyAssessment automatedReasoningPolicy:@GuardrailAutomatedReasoningPolicyAssessment invocationMetrics:@GuardrailInvocationMetrics
GuardrailTopicPolicyAssessment topics!:[@GuardrailTopic]
GuardrailTopic name!:s type!:@GuardrailTopicType action!:@GuardrailTopicPolicyAction detected:b
GuardrailTopicType = DENY
GuardrailTopicPolicyAction = BLOCKED NONE
GuardrailContentPolicyAssessment filters!:[@GuardrailContentFilter]
GuardrailContentFilter type!:@GuardrailContentFilterType confidence!:@GuardrailContentFilterConfidence filterStrength:@GuardrailContentFilterStrength action!:@GuardrailContentPolicyAction detected:b
GuardrailContentFilterType = INSULTS HATE SEXUAL VIOLENCE MISCONDUCT PROMPT_ATTACK
GuardrailContentFilterConfidence = NONE LOW MEDIUM HIGH
GuardrailContentFilterStrength = NONE LOW MEDIUM HIGH
GuardrailContentPolicyAction = BLOCKED NONE
GuardrailWordPolicyAssessment customWords!:[@GuardrailCustomWord] managedWordLists!:[@GuardrailManagedWord]
GuardrailCustomWord match!:s action!:@GuardrailWordPolicyAction detected:b
GuardrailWordPolicyAction = BLOCKED NONE
GuardrailManagedWord match!:s type!:@GuardrailManagedWordType action!:@GuardrailWordPolicyAction detected:b
GuardrailManagedWordType = PROFANITY
GuardrailSensitiveInformationPolicyAssessment piiEntities!:[@GuardrailPiiEntityFilter] regexes!:[@GuardrailRegexFilter]
GuardrailPiiEntityFilter match!:s type!:@GuardrailPiiEntityType action!:@GuardrailSensitiveInformationPolicyAction detected:b
GuardrailPiiEntityType = ADDRESS AGE AWS_ACCESS_KEY AWS_SECRET_KEY CA_HEALTH_NUMBER CA_SOCIAL_INSURANCE_NUMBER CREDIT_DEBIT_CARD_CVV CREDIT_DEBIT_CARD_EXPIRY CREDIT_DEBIT_CARD_NUMBER DRIVER_ID EMAIL INTERNATIONAL_BANK_ACCOUNT_NUMBER IP_ADDRESS LICENSE_PLATE MAC_ADDRESS NAME PASSWORD PHONE PIN SWIFT_CODE UK_NATIONAL_HEALTH_SERVICE_NUMBER UK_NATIONAL_INSURANCE_NUMBER UK_UNIQUE_TAXPAYER_REFERENCE_NUMBER URL USERNAME US_BANK_ACCOUNT_NUMBER US_BANK_ROUTING_NUMBER US_INDIVIDUAL_TAX_IDENTIFICATION_NUMBER US_PASSPORT_NUMBER US_SOCIAL_SECURITY_NUMBER VEHICLE_IDENTIFICATION_NUMBER
GuardrailSensitiveInformationPolicyAction = ANONYMIZED BLOCKED NONE
GuardrailRegexFilter name:s match:s regex:s action!:@GuardrailSensitiveInformationPolicyAction detected:b
GuardrailContextualGroundingPolicyAssessment filters:[@GuardrailContextualGroundingFilter]
GuardrailContextualGroundingFilter type!:@GuardrailContextualGroundingFilterType threshold!:n0..1 score!:n0..1 action!:@GuardrailContextualGroundingPolicyAction detected:b
GuardrailContextualGroundingFilterType = GROUNDING RELEVANCE
GuardrailContextualGroundingPolicyAction = BLOCKED NONE
GuardrailAutomatedReasoningPolicyAssessment findings:[@GuardrailAutomatedReasoningFinding]
GuardrailAutomatedReasoningFinding valid:@GuardrailAutomatedReasoningValidFinding invalid:@GuardrailAutomatedReasoningInvalidFinding satisfiable:@GuardrailAutomatedReasoningSatisfiableFinding impossible:@GuardrailAutomatedReasoningImpossibleFinding translationAmbiguous:@GuardrailAutomatedReasoningTranslationAmbiguousFinding tooComplex:@GuardrailAutomatedReasoningTooComplexFinding noTranslations:@GuardrailAutomatedReasoningNoTranslationsFinding
GuardrailAutomatedReasoningValidFinding translation:@GuardrailAutomatedReasoningTranslation claimsTrueScenario:@GuardrailAutomatedReasoningScenario supportingRules:[@GuardrailAutomatedReasoningRule] logicWarning:@GuardrailAutomatedReasoningLogicWarning
GuardrailAutomatedReasoningTranslation premises:[@GuardrailAutomatedReasoningStatement] claims:[@GuardrailAutomatedReasoningStatement] untranslatedPremises:[@GuardrailAutomatedReasoningInputTextReference] untranslatedClaims:[@GuardrailAutomatedReasoningInputTextReference] confidence:n0..1
GuardrailAutomatedReasoningStatement logic:s0..1000 naturalLanguage:s0..1000
GuardrailAutomatedReasoningInputTextReference text:s0..1000
GuardrailAutomatedReasoningScenario statements:[@GuardrailAutomatedReasoningStatement]
GuardrailAutomatedReasoningRule identifier:s0..12 policyVersionArn:s0..2048
GuardrailAutomatedReasoningLogicWarning type:@GuardrailAutomatedReasoningLogicWarningType premises:[@GuardrailAutomatedReasoningStatement] claims:[@GuardrailAutomatedReasoningStatement]
GuardrailAutomatedReasoningLogicWarningType = ALWAYS_FALSE ALWAYS_TRUE
GuardrailAutomatedReasoningInvalidFinding translation:@GuardrailAutomatedReasoningTranslation contradictingRules:[@GuardrailAutomatedReasoningRule] logicWarning:@GuardrailAutomatedReasoningLogicWarning
GuardrailAutomatedReasoningSatisfiableFinding translation:@GuardrailAutomatedReasoningTranslation claimsTrueScenario:@GuardrailAutomatedReasoningScenario claimsFalseScenario:@GuardrailAutomatedReasoningScenario logicWarning:@GuardrailAutomatedReasoningLogicWarning
GuardrailAutomatedReasoningImpossibleFinding translation:@GuardrailAutomatedReasoningTranslation contradictingRules:[@GuardrailAutomatedReasoningRule] logicWarning:@GuardrailAutomatedReasoningLogicWarning
GuardrailAutomatedReasoningTranslationAmbiguousFinding options:[@GuardrailAutomatedReasoningTranslationOption] differenceScenarios:[@GuardrailAutomatedReasoningScenario]
GuardrailAutomatedReasoningTranslationOption translations:[@GuardrailAutomatedReasoningTranslation]
GuardrailAutomatedReasoningTooComplexFinding 
GuardrailAutomatedReasoningNoTranslationsFinding 
GuardrailInvocationMetrics guardrailProcessingLatency:n usage:@GuardrailUsage guardrailCoverage:@GuardrailCoverage
GuardrailCoverage textCharacters:@GuardrailTextCharactersCoverage images:@GuardrailImageCoverage
GuardrailTextCharactersCoverage guarded:n total:n
GuardrailImageCoverage guarded:n total:n
ConverseResponse output!:@ConverseOutput stopReason!:@StopReason usage!:@TokenUsage metrics!:@ConverseMetrics additionalModelResponseFields:* trace:@ConverseTrace performanceConfig:@PerformanceConfiguration
ConverseOutput message:@Message
Message role!:@ConversationRole content!:[@ContentBlock]
ConversationRole = user assistant
ContentBlock text:s image:@ImageBlock document:@DocumentBlock video:@VideoBlock toolUse:@ToolUseBlock toolResult:@ToolResultBlock guardContent:@GuardrailConverseContentBlock cachePoint:@CachePointBlock reasoningContent:@ReasoningContentBlock citationsContent:@CitationsContentBlock
ImageBlock format!:@ImageFormat source!:@ImageSource
ImageFormat = png jpeg gif webp
ImageSource bytes:s1.. s3Location:@S3Location
S3Location uri!:s1..1024 bucketOwner:s
DocumentBlock format:@DocumentFormat name!:s1..200 source!:@DocumentSource context:s citations:@CitationsConfig
DocumentFormat = pdf csv doc docx xls xlsx html txt md
DocumentSource bytes:s1.. s3Location:@S3Location text:s content:[@DocumentContentBlock]
DocumentContentBlock text:s
CitationsConfig enabled!:b
VideoBlock format!:@VideoFormat source!:@VideoSource
VideoFormat = mkv mov mp4 webm flv mpeg mpg wmv three_gp
VideoSource bytes:s1.. s3Location:@S3Location
ToolUseBlock toolUseId!:s1..64 name!:s1..64 input!:*
ToolResultBlock toolUseId!:s1..64 content!:[@ToolResultContentBlock] status:@ToolResultStatus
ToolResultContentBlock json:* text:s image:@ImageBlock document:@DocumentBlock video:@VideoBlock
ToolResultStatus = success error
GuardrailConverseContentBlock text:@GuardrailConverseTextBlock image:@GuardrailConverseImageBlock
GuardrailConverseTextBlock text!:s qualifiers:[@GuardrailConverseContentQualifier]
GuardrailConverseContentQualifier = grounding_source query guard_content
GuardrailConverseImageBlock format!:@GuardrailConverseImageFormat source!:@GuardrailConverseImageSource
GuardrailConverseImageFormat = png jpeg
GuardrailConverseImageSource bytes:s1..
CachePointBlock type!:@CachePointType
CachePointType = default
ReasoningContentBlock reasoningText:@ReasoningTextBlock redactedContent:s
ReasoningTextBlock text!:s signature:s
CitationsContentBlock content:[@CitationGeneratedContent] citations:[@Citation]
CitationGeneratedContent text:s
Citation title:s sourceContent:[@CitationSourceContent] location:@CitationLocation
CitationSourceContent text:s
CitationLocation documentChar:@DocumentCharLocation documentPage:@DocumentPageLocation documentChunk:@DocumentChunkLocation
DocumentCharLocation documentIndex:n0.. start:n0.. end:n0..
DocumentPageLocation documentIndex:n0.. start:n0.. end:n0..
DocumentChunkLocation documentIndex:n0.. start:n0.. end:n0..
StopReason = end_turn tool_use max_tokens stop_sequence guardrail_intervened content_filtered model_context_window_exceeded
TokenUsage inputTokens!:n0.. outputTokens!:n0.. totalTokens!:n0.. cacheReadInputTokens:n0.. cacheWriteInputTokens:n0..
ConverseMetrics latencyMs!:n
ConverseTrace guardrail:@GuardrailTraceAssessment promptRouter:@PromptRouterTrace
GuardrailTraceAssessment modelOutput:[s] inputAssessment:{@GuardrailAssessment} outputAssessments:{[@GuardrailAssessment]} actionReason:s
PromptRouterTrace invokedModelId:s
PerformanceConfiguration latency:@PerformanceConfigLatency
PerformanceConfigLatency = standard optimized
ConverseStreamResponse stream:*
CountTokensResponse inputTokens!:n
GetAsyncInvokeResponse invocationArn!:s1..2048 modelArn!:s1..2048 clientRequestToken:s1..256 status!:@AsyncInvokeStatus failureMessage:s0..2048 submitTime!:s lastModifiedTime:s endTime:s outputDataConfig!:@AsyncInvokeOutputDataConfig
AsyncInvokeStatus = InProgress Completed Failed
AsyncInvokeOutputDataConfig s3OutputDataConfig:@AsyncInvokeS3OutputDataConfig
AsyncInvokeS3OutputDataConfig s3Uri!:s1..1024 kmsKeyId:s1..2048 bucketOwner:s
InvokeModelResponse body!:s0..25000000 contentType!:s performanceConfigLatency:@PerformanceConfigLatency
InvokeModelWithBidirectionalStreamResponse body!:*
InvokeModelWithResponseStreamResponse body!:* contentType!:s performanceConfigLatency:@PerformanceConfigLatency
ListAsyncInvokesResponse nextToken:s1..2048 asyncInvokeSummaries:[@AsyncInvokeSummary]
AsyncInvokeSummary invocationArn!:s1..2048 modelArn!:s1..2048 clientRequestToken:s1..256 status:@AsyncInvokeStatus failureMessage:s0..2048 submitTime!:s lastModifiedTime:s endTime:s outputDataConfig!:@AsyncInvokeOutputDataConfig
StartAsyncInvokeResponse invocationArn!:s1..2048
`;
