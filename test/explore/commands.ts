/**
 * Stands in for `@aws-sdk/lib-dynamodb` and `@aws-sdk/client-sfn` in the exploration's bundle. Nothing is sent, so a command need only say
 * what it is and what it asks: those of the SDK prepare to be encoded and signed, which takes longer than the table in memory.
 */
class Command {
  constructor(readonly input: object) {}
}
export class DeleteCommand extends Command {}
export class GetCommand extends Command {}
export class PutCommand extends Command {}
export class QueryCommand extends Command {}
export class ScanCommand extends Command {}
export class TransactWriteCommand extends Command {}
export class UpdateCommand extends Command {}
export class DescribeExecutionCommand extends Command {}
export class GetExecutionHistoryCommand extends Command {}
export class SendTaskSuccessCommand extends Command {}
export class StartExecutionCommand extends Command {}
export class StopExecutionCommand extends Command {}

/** Imported with the rest, and never made: the exploration gives each process a table of its own. */
export class DynamoDBDocumentClient {}
