import * as z from 'zod';
import { isJsonObject } from '../../core/base/json/json-object';
import type { ServerAnswer, ServerQuestion, ServerRound } from '../../core/base/state/isolated-call';
import { formProblem } from '../../core/conversations/approvals/form';

// A server of revision 2026-07-28 asks by its answer (`input_required`), and gives its state to be sent back. What it has done before is in
// that state, so the call continues, and is not made again.

/** The call's row has the state and the questions. */
const mostStateBytes = 32_000;
const mostAskedBytes = 50_000;
/** As many as a call may ask in all. */
const mostQuestions = 5;
const mostRequests = 50;

const Elicitation = z.object({
  method: z.literal('elicitation/create'),
  params: z.object({
    // No mode is that of forms.
    mode: z.literal('form').optional(),
    message: z.string(),
    requestedSchema: z.record(z.string(), z.unknown()),
  }),
});

/**
 * Reads a result that asks. A question that the user must not or cannot be shown is declined: that is what the server learns of it.
 *
 * @param mayAsk whether the tool may ask at all.
 * @param earlier the number of the user's answers to this call.
 * @throws Error in one line if it cannot be continued.
 */
export function roundIn(result: Record<string, unknown>, mayAsk: boolean, earlier: number): ServerRound {
  const { inputRequests = {}, requestState: state } = result;
  if (state !== undefined && (typeof state !== 'string' || Buffer.byteLength(state) > mostStateBytes))
    throw new Error(`asks with a state of more than ${mostStateBytes} bytes, which is not kept`);
  const requests = isJsonObject(inputRequests) ? Object.entries(inputRequests) : [];
  if (requests.length > mostRequests) throw new Error(`asks more than ${mostRequests} questions at once`);
  if (requests.length === 0 && state === undefined) throw new Error('asks for nothing');
  let left = mostAskedBytes;
  let asked = 0;
  const asks = requests.map(([key, request]) => {
    const question = mayAsk && asked < mostQuestions ? questionIn(request) : undefined;
    left -= Buffer.byteLength(JSON.stringify({ key, question }));
    if (left < 0) throw new Error(`asks with more than ${mostAskedBytes} bytes`);
    if (question) asked++;
    return { key, ...(question && { question }) };
  });
  return { ...(state !== undefined && { state: kept(state) }), earlier, asks };
}

/** A server must get back exactly what it has sent, and rows have no NUL and no half characters. */
const kept = (state: string): string => Buffer.from(JSON.stringify(state)).toString('base64');
const unkept = (state: string): string => JSON.parse(Buffer.from(state, 'base64').toString());

function questionIn(request: unknown): ServerQuestion | undefined {
  const { success, data } = Elicitation.safeParse(request);
  if (!success) return undefined;
  const question = { message: data.params.message, form: data.params.requestedSchema } as ServerQuestion;
  return formProblem(question) === undefined ? question : undefined;
}

/** Returns the next question that has no answer; undefined if all have one. */
export const unanswered = ({ asks, earlier }: ServerRound, answers: ServerAnswer[]): ServerQuestion | undefined =>
  asks.flatMap(({ question }) => question ?? [])[answers.length - earlier];

/** Returns the parameters by which a request continues the call. */
export function continuation({ asks, earlier, state }: ServerRound, answers: ServerAnswer[]): object {
  const given = answers.slice(earlier).values();
  const responses = asks.map(({ key, question }) => {
    const content = question && given.next().value?.content;
    return [key, content ? { action: 'accept', content } : { action: 'decline' }];
  });
  return {
    ...(responses.length > 0 && { inputResponses: Object.fromEntries(responses) }),
    ...(state !== undefined && { requestState: unkept(state) }),
  };
}
