import type { Item } from '../../base/content/items';
import type { ReplyPending } from '../../base/text/errors';
import type { Caching, ModelRequest } from '../../conversations/agent/model';
import { estimatedUsage, priced } from '../../conversations/agent/prices';
import { cacheLasts } from '../../conversations/decisions/caching';
import { recalledNote } from '../../conversations/decisions/transcript';
import { guardsAt } from '../../conversations/guards/guard';
import { dropPending } from '../../conversations/replies/pending-reply';
import { readMeta } from '../../conversations/store/table';
import { backgroundOf, superseded } from './await-reply';
import { readerOf, readingOf } from './files';
import { countLost } from './lost-reply';
import { openScreen } from './screen';
import type { Received, Step } from './step';

/** The interval at which a step checks whether it is still current. Writing text checks this too, but the model may send none. */
const watchMs = 1_000;

/** A request to the model, and what has come of it so far. */
interface Asking extends Pick<ModelRequest, 'agent' | 'items'> {
  said: string;
  /** Whether the provider makes the reply in the background. */
  isBegun: boolean;
  /** Whether people see the text while it arrives. */
  isShown: boolean;
  /** Aborted when the reply is no longer wanted. */
  unwanted: AbortController;
}

/** What the model is asked in this step, with what has been recalled about the user. */
export const itemsOf = ({ request, recalled }: Step): Item[] => [...request.items, ...recalledNote(recalled?.text)];

/** Asks the model for the reply, or the summary, while people read it and until nobody wants it any more. */
export async function askModel(step: Step): Promise<Received> {
  const { loop, at, draft, summary } = step;
  const { agent } = step.request;
  const items = itemsOf(step);
  const unwanted = new AbortController();
  const background = await backgroundOf(step, { agent, items });
  // What a guard of replies has not passed is shown to nobody, and neither is a summary.
  const isShown = !summary && guardsAt(step.agent, 'output').length === 0;
  const asking: Asking = { agent, items, said: '', isBegun: background.id !== undefined, isShown, unwanted };
  const { reading, aboutFiles } = readingOf(step, agent);
  const screen = isShown ? openScreen(loop, at.conversationId, draft, unwanted) : undefined;
  const watch = watchOver(step, unwanted);
  try {
    const { usage, ...reply } = await loop.model.reply({
      agent,
      items,
      readFile: readerOf(step),
      reading,
      fileBytes: loop.files && loop.fileLimits?.file,
      cache: cachingOf(step),
      signal: AbortSignal.any([unwanted.signal, loop.deadline]),
      onText(piece) {
        asking.said += piece;
        screen?.add(piece);
      },
      background: {
        ...background,
        async begun(of) {
          await background.begun(of);
          asking.isBegun = true;
        },
      },
    });
    return { reply, usage, aboutFiles: aboutFiles() };
  } catch (error) {
    throw await withoutReply(step, asking, error as Error);
  } finally {
    clearInterval(watch);
    await screen?.close();
  }
}

/** The versions of a conversation begin alike. */
function cachingOf({ loop, at, meta, draft, agent, log, summary }: Step): Caching {
  const lasts = summary ? 'none' : cacheLasts(agent, log.messages, { before: draft.seq, now: loop.now() });
  return { key: meta.rootId ?? at.conversationId, lasts };
}

const watchOver = ({ loop, at, draft }: Step, unwanted: AbortController) =>
  setInterval(async () => {
    const meta = await readMeta(loop.table, at.conversationId).catch(() => undefined);
    if (meta && meta.run?.draft?.writer !== draft.writer) unwanted.abort();
  }, watchMs);

/** Whether the model's provider has failed with the reply. Other errors leave a reply in the background as it is. */
export const isOfModel = ({ name }: Error): boolean => name.startsWith('Model');

/** Counts what is billed of a call that gave no reply. @returns what the step throws. */
async function withoutReply(step: Step, asking: Asking, error: Error): Promise<Error> {
  const { loop, at, draft } = step;
  const { said, isBegun, isShown, unwanted } = asking;
  const used = { ...priced(estimatedUsage(asking, said), loop.model.about(asking.agent).price), modelCalls: 1 };
  if (unwanted.signal.aborted || error.name === 'Superseded') {
    // Whoever has cut off a reply in the background cancels it, which counts it.
    if (!isBegun) await countLost(step, 'cut-off', used);
    return superseded();
  }
  if (error.name === 'ReplyPending') return Object.assign(error as ReplyPending, { isShown: isShown && said !== '' });
  // A reply in the background holds its reservation until it is over: the provider continues it, and bills it.
  if (isBegun && !isOfModel(error)) return error;
  if (isBegun) await dropPending(loop.table, at, draft, { cancels: false, now: loop.now() });
  // What the model had begun is billed. After the deadline, it may have been reasoning.
  await countLost(step, 'failed', said !== '' || loop.deadline.aborted ? used : undefined);
  return error;
}
