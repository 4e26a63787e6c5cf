/** Drawn by draw-models.ts: what the operations of sqs answer. */
export default `
CancelMessageMoveTask() @CancelMessageMoveTaskResult
ChangeMessageVisibilityBatch() @ChangeMessageVisibilityBatchResult
CreateQueue() @CreateQueueResult
DeleteMessageBatch() @DeleteMessageBatchResult
GetQueueAttributes() @GetQueueAttributesResult
GetQueueUrl() @GetQueueUrlResult
ListDeadLetterSourceQueues() @ListDeadLetterSourceQueuesResult
ListMessageMoveTasks() @ListMessageMoveTasksResult
ListQueueTags() @ListQueueTagsResult
ListQueues() @ListQueuesResult
ReceiveMessage() @ReceiveMessageResult
SendMessage() @SendMessageResult
SendMessageBatch() @SendMessageBatchResult
StartMessageMoveTask() @StartMessageMoveTaskResult
CancelMessageMoveTaskResult ApproximateNumberOfMessagesMoved:n
ChangeMessageVisibilityBatchResult Successful!:[@ChangeMessageVisibilityBatchResultEntry] Failed!:[@BatchResultErrorEntry]
ChangeMessageVisibilityBatchResultEntry Id!:s
BatchResultErrorEntry Id!:s SenderFault!:b Code!:s Message:s
CreateQueueResult QueueUrl:s
DeleteMessageBatchResult Successful!:[@DeleteMessageBatchResultEntry] Failed!:[@BatchResultErrorEntry]
DeleteMessageBatchResultEntry Id!:s
GetQueueAttributesResult Attributes:{s}
GetQueueUrlResult QueueUrl:s
ListDeadLetterSourceQueuesResult queueUrls!:[s] NextToken:s
ListMessageMoveTasksResult Results:[@ListMessageMoveTasksResultEntry]
ListMessageMoveTasksResultEntry TaskHandle:s Status:s SourceArn:s DestinationArn:s MaxNumberOfMessagesPerSecond:n ApproximateNumberOfMessagesMoved:n ApproximateNumberOfMessagesToMove:n FailureReason:s StartedTimestamp:n
ListQueueTagsResult Tags:{s}
ListQueuesResult QueueUrls:[s] NextToken:s
ReceiveMessageResult Messages:[@Message]
Message MessageId:s ReceiptHandle:s MD5OfBody:s Body:s Attributes:{s} MD5OfMessageAttributes:s MessageAttributes:{@MessageAttributeValue}
MessageAttributeValue StringValue:s BinaryValue:s StringListValues:[s] BinaryListValues:[s] DataType!:s
SendMessageResult MD5OfMessageBody:s MD5OfMessageAttributes:s MD5OfMessageSystemAttributes:s MessageId:s SequenceNumber:s
SendMessageBatchResult Successful!:[@SendMessageBatchResultEntry] Failed!:[@BatchResultErrorEntry]
SendMessageBatchResultEntry Id!:s MessageId!:s MD5OfMessageBody!:s MD5OfMessageAttributes:s MD5OfMessageSystemAttributes:s SequenceNumber:s
StartMessageMoveTaskResult TaskHandle:s
`;
