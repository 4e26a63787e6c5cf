import * as z from 'zod';
import { Metadata } from '../../../core/base/state/given';
import { ConversationSummary, Timer } from '../../../core/base/state/schemas';
import { InvalidInput, WrongState } from '../../../core/base/text/errors';
import { momentOf, Time } from '../../../core/base/time/local-time';
import { longestJitterSeconds, type NewTimer, type Times } from '../../../core/base/time/rule';
import { checkAt, checkJitter, nextSlot, ruleOfTimes } from '../../../core/base/time/schedule';
import { Locale } from '../../../core/base/time/time-zone';
import { readTimers } from '../../../core/conversations/calls/timer';
import type { StoredTimer } from '../../../core/conversations/rows/rows';
import { createConversation } from '../../../core/conversations/runs/conversation';
import { readSettings } from '../../../core/conversations/runs/user-settings';
import { cancelTimer, changeTimer } from '../../../core/conversations/timers/change-timer';
import { runTimer } from '../../../core/machines/timers/fire-timer';
import { conversationOf, listTimers } from '../../../core/people/views/timers';
import type { App, Deployment } from '../deployment';
import * as example from '../examples';
import { claimsKept } from '../kept-claims';
import { route } from '../route';
import { body, Cursor, checkAgent, Id, inConversation, json, newIdFor, PartId, problem } from '../shapes';
import { logSubject } from '../subject';

const OwnTimer = Timer.extend({ conversationId: Id }).openapi('OwnTimer');

export const TimerPage = z
  .object({
    timers: z.array(OwnTimer),
    /** Those of the timers. */
    conversations: z.array(ConversationSummary),
    cursor: z.string().optional(),
  })
  .openapi('TimerPage');

/** The fields that a timer is made with, and that can be changed. */
const settable = {
  name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .optional()
    .openapi({ description: 'For people: the title of its conversation' }),
  cron: z.string().max(100).optional().openapi({ description: 'Five fields: minute, hour, day, month, day of week' }),
  every: z
    .string()
    .max(50)
    .optional()
    .openapi({ description: 'An interval, as an ISO 8601 duration of at least a minute' }),
  at: Time.optional().openapi({
    description: 'For a timer that fires once: a time, local in `timeZone` unless it says',
  }),
  timeZone: z
    .optional(Locale.shape.timeZone.unwrap())
    .openapi({ description: 'An IANA name. By default, that of your settings, else UTC' }),
  overlap: z.optional(Timer.shape.overlap.unwrap()).openapi({
    description:
      'When the timer is due while a run is active. `one`: the run reads it; until it has, that stands for further times. `queue`: a run for each. `skip`: left out',
  }),
  catchUp: z.optional(Timer.shape.catchUp.unwrap()).openapi({
    description:
      'When times have passed. `one`: it fires once for all of them. `all`: for each, up to a hundred. `skip`: those that are more than a minute late are left out',
  }),
  jitterSeconds: z.number().int().min(0).max(longestJitterSeconds).optional().openapi({
    description: 'The longest delay of a firing, which differs by timer and time. Less than the interval',
  }),
};
const Words = z.string().trim().min(1).max(10_000);

const NewTimerBody = z
  .strictObject({
    agent: z.string().openapi({ description: 'The name of an agent of this deployment', example: 'reminder' }),
    text: Words.openapi({ description: 'The message that the agent gets each time' }),
    id: Id.optional().openapi({
      description: 'Your own id, of at most 46 characters. A repeated id returns the existing timer',
    }),
    ...settable,
    metadata: Metadata.optional(),
  })
  .openapi('CreateTimer', { examples: [example.createTimer] });

const TimerChanges = z
  .strictObject({
    paused: z.boolean().optional().openapi({ description: 'A paused timer does not fire, and nothing runs for it' }),
    text: Words.optional(),
    ...settable,
  })
  .openapi('ChangeTimer');

const list = route('listTimers', 'Timers', {
  method: 'get',
  path: '/timers',
  summary:
    'Your open timers, in all conversations, the next one first. A page may have few or none: go on while there is a cursor',
  request: { query: z.object({ cursor: Cursor }) },
  responses: {
    200: json('A page of timers, with their conversations', TimerPage),
  },
});

const create = route('createTimer', 'Timers', {
  method: 'post',
  path: '/timers',
  summary: 'Creates a timer with a conversation of its own, in which it gives its text to an agent, once or repeatedly',
  request: { body: body(NewTimerBody) },
  responses: {
    200: json('The timer already exists', OwnTimer),
    201: json('Created', OwnTimer),
    404: problem('The conversation with this id was deleted'),
    409: problem('A conversation without such a timer has this id'),
  },
});

const ofTimer = z.object({ timerId: PartId.openapi({ description: 'The id of the timer' }) });
const noTimer = problem('You have no such open timer');

const change = route('changeTimer', 'Timers', {
  method: 'patch',
  path: '/timers/{timerId}',
  summary: 'Pauses, resumes or changes a timer. What the code declares can only be paused',
  request: { params: ofTimer, body: body(TimerChanges) },
  responses: {
    200: json('The timer', OwnTimer),
    404: noTimer,
    409: problem('The timer is over, or the code declares what would change'),
  },
});

const run = route('runTimer', 'Timers', {
  method: 'post',
  path: '/timers/{timerId}/run',
  summary: 'Runs a recurring timer now, in addition to its times',
  request: {
    params: ofTimer,
    body: body(
      z
        .strictObject({
          clientMessageId: Id.optional().openapi({ description: 'Your own id: a repeated request runs it once' }),
        })
        .openapi('RunTimer'),
    ),
  },
  responses: {
    200: json('The timer', OwnTimer),
    404: noTimer,
    409: problem('The timer is over or fires once, or the agent has too many unread messages'),
  },
});

const end = route('endTimer', 'Timers', {
  method: 'delete',
  path: '/timers/{timerId}',
  summary: 'Cancels a timer, by its id alone',
  request: { params: ofTimer },
  responses: { 200: json('The timer, which is now cancelled or was already over', OwnTimer), 404: noTimer },
});

const cancel = route('cancelTimer', 'Timers', {
  needs: 'owner',
  method: 'delete',
  path: '/conversations/{id}/timers/{timerId}',
  summary: 'Cancels a timer',
  request: { params: inConversation.extend({ timerId: PartId.openapi({ description: 'The id of the timer' }) }) },
  responses: {
    200: json('The timer, which is now cancelled or was already over', Timer),
    404: problem('You have no such conversation, or it has no such timer'),
  },
});

export function timerRoutes(app: App, { table, registry, counts, keptClaims }: Deployment): void {
  const shown = (timer: StoredTimer) => OwnTimer.parse(timer);

  app.openapi(list, async (context) => {
    context.header('cache-control', 'no-store');
    const { cursor } = context.req.valid('query');
    return context.json(await listTimers(table, context.get('user'), cursor), 200);
  });

  app.openapi(create, async (context) => {
    const { agent, id: chosen, metadata, ...wanted } = context.req.valid('json');
    checkAgent(registry.agents, agent);
    const now = new Date();
    const user = context.get('user');
    const id = newIdFor(user, chosen);
    const timeZone = wanted.timeZone ?? (await readSettings(table, user)).timeZone;
    const arranged = { timer: newTimer({ ...wanted, timeZone }, now), name: wanted.name };
    const { created } = await createConversation(
      table,
      {
        id,
        user,
        agent,
        metadata,
        arranged,
        title: wanted.name ?? wanted.text,
        claims: claimsKept(keptClaims, context.get('caller')),
        startedBy: context.get('machine'),
      },
      now,
      counts(),
    );
    const timer = (await readTimers(table, id)).find(({ callId }) => callId === undefined);
    if (!timer) throw new WrongState('A conversation without a timer has this id. Use another one.');
    return context.json(shown(timer), created ? 201 : 200);
  });

  app.openapi(change, async (context) => {
    const { timerId } = context.req.valid('param');
    const { cron, every, timeZone, ...rest } = context.req.valid('json');
    const user = context.get('user');
    const isTimed = [cron, every, timeZone].some((one) => one !== undefined);
    const timer = await changeTimer(
      ...([table, await conversationOf(table, user, timerId), timerId] as const),
      { ...rest, ...(isTimed && { times: { cron, every, timeZone } }) },
      { user, now: new Date() },
    );
    return context.json(shown(timer), 200);
  });

  app.openapi(run, async (context) => {
    const { timerId } = context.req.valid('param');
    const user = context.get('user');
    const conversationId = await conversationOf(table, user, timerId);
    const { clientMessageId } = context.req.valid('json');
    const asked = { conversationId, timerId, user, clientMessageId };
    const { timer, meta } = await runTimer(table, registry.agents, asked, new Date(), counts());
    logSubject(meta);
    return context.json(shown(timer), 200);
  });

  app.openapi(end, async (context) => {
    const { timerId } = context.req.valid('param');
    const user = context.get('user');
    const timer = await cancelTimer(table, await conversationOf(table, user, timerId), timerId, { user });
    return context.json(shown(timer), 200);
  });

  app.openapi(cancel, async (context) => {
    const { id, timerId } = context.req.valid('param');
    const timer = await cancelTimer(table, id, timerId, { user: context.get('caller') });
    return context.json(Timer.parse(timer), 200);
  });
}

type Wanted = Times & Pick<z.infer<typeof NewTimerBody>, 'at' | 'text' | 'overlap' | 'catchUp' | 'jitterSeconds'>;

/** Returns the timer that a request asks for. @throws InvalidInput naming the field. */
function newTimer(
  { at: time, text, cron, every, timeZone, overlap, catchUp, jitterSeconds }: Wanted,
  now: Date,
): NewTimer {
  if (time === undefined) {
    const rule = ruleOfTimes({ cron, every, timeZone }, now);
    checkJitter(rule, jitterSeconds);
    return { kind: 'repeat', at: nextSlot(rule, now, now)!, rule, text, overlap, catchUp, jitterSeconds };
  }
  if (cron ?? every ?? overlap ?? catchUp ?? jitterSeconds)
    throw new InvalidInput('at', 'the timer fires once: leave out "cron", "every" and policies, or "at"');
  const at = momentOf(time, timeZone ?? 'UTC');
  checkAt(at, now);
  return { kind: 'once', at, text };
}
