import { addUsage, isOver, isSettled, Message, noUsage, type Usage } from '../../base/state/schemas';
import { key } from '../../conversations/rows/keys';
import { Meta } from '../../conversations/rows/meta';
import { StoredCall } from '../../conversations/rows/rows';
import type { RowChange } from './broadcast';
import { type FinishedEvent, MessageFinished, RunEnded, ToolCallSettled } from './events';

/**
 * Returns the event of a change that finished something. The event depends only on the row before and after the change, so later
 * changes of the row make no event, and a repeated change makes the same event.
 */
export function finishedBy(change: RowChange): FinishedEvent | undefined {
  if (isCopy(change.row)) return undefined;
  if (change.sk.startsWith(key.messages)) return messageFinished(change);
  if (change.sk.startsWith(key.call(''))) return callSettled(change);
  return change.sk === key.meta ? runEnded(change) : undefined;
}

/** Whether a fork has copied the row. The original has had its event. */
const isCopy = (row: object): boolean => 'copiedFrom' in row;

const isFinished = ({ status }: Message): boolean => MessageFinished.shape.status.safeParse(status).success;

function messageFinished({ conversationId, sk, row, before }: RowChange): FinishedEvent | undefined {
  const message = Message.parse(row);
  if (!isFinished(message) || (before && isFinished(Message.parse(before)))) return undefined;
  const detail = MessageFinished.parse({
    ...message,
    ...idsOf(conversationId, sk, message),
  });
  return { detailType: 'Message finished', time: detail.completedAt ?? detail.createdAt, detail };
}

function callSettled({ conversationId, sk, row, before }: RowChange): FinishedEvent | undefined {
  const call = StoredCall.parse(row);
  if (!isSettled(call.status) || (before && StoredCall.parse(before).status === call.status)) return undefined;
  const detail = ToolCallSettled.parse({
    ...call,
    ...idsOf(conversationId, sk, call),
    callId: call.id,
    completedAt: call.undoneAt ?? call.completedAt,
  });
  return { detailType: 'Tool call settled', time: detail.completedAt ?? detail.createdAt, detail };
}

function runEnded({ conversationId, sk, row, before }: RowChange): FinishedEvent | undefined {
  const meta = Meta.parse(row);
  const was = before && Meta.parse(before);
  const ended = endedRun(meta, was);
  if (!ended) return undefined;
  const { id: runId, agent, segment: segments, startedAt } = ended;
  const detail = RunEnded.parse({
    ...idsOf(conversationId, sk, { version: meta.version, status: ended.status }),
    runId,
    status: ended.status,
    agent,
    segments,
    startedAt,
    endedAt: meta.updatedAt,
    usage: ended.usage,
    user: meta.owner || meta.deletedFor,
    parentId: meta.parentId,
  });
  return { detailType: 'Run ended', time: detail.endedAt, detail };
}

/** Returns the run that the change ended. */
function endedRun({ run, earlierUsage }: Meta, was: Meta | undefined): Meta['run'] {
  const last = was?.run;
  if (run && run.id !== last?.id && last && !isOver(last.status)) {
    // One transaction ended the run and started the next one. Only runs that end as `done` or `cancelled` do this.
    const status = last.status === 'cancelling' ? 'cancelled' : 'done';
    return { ...last, status, usage: difference(earlierUsage, was.earlierUsage) };
  }
  const wasOver = last?.id === run?.id && last !== undefined && isOver(last.status);
  return run && isOver(run.status) && !wasOver ? run : undefined;
}

const difference = (all: Usage, others: Usage): Usage => {
  const negative = Object.fromEntries(Object.entries(others).map(([figure, value]) => [figure, -value]));
  return addUsage(all, { ...noUsage, ...negative });
};

function idsOf(conversationId: string, sk: string, { version, status }: { version: number; status: string }) {
  return { schemaVersion: 1, deduplicationId: `${conversationId}/${sk}/${version}/${status}`, conversationId } as const;
}
