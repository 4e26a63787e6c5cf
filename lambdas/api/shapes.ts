import { extendZodWithOpenApi } from '@hono/zod-openapi';
import * as z from 'zod';
import { type ProblemKind, problemKinds, typeOfProblem } from '../../core/base/state/problem-kinds';
import { chosenConversationId, newConversationId } from '../../core/base/text/ids';
import { userId } from '../../core/conversations/members/members';
import { BadRequest } from '../problems';
import * as example from './examples';

// Only schemas that are created after this call have `.openapi()`. All of zod would make the function larger by 90 KB.
extendZodWithOpenApi({ ZodType: z.ZodType } as typeof z);

const problemTypes = (Object.keys(problemKinds) as ProblemKind[]).map(typeOfProblem);

/** The types of problems that this version knows. `type` may be another string, because later versions add some. */
const ProblemType = z.enum(problemTypes as [string, ...string[]]).openapi('ProblemType', {
  description: 'The types of problems, as docs/api.md explains them. Later versions add some',
});

/**
 * Problem details (RFC 9457). `errors` lists the invalid fields of a 400; `outcome` is the first answer in a 409; `limit` is what a 429
 * has reached, with the variable that sets it, if there is one.
 */
export const Problem = z
  .object({
    type: z
      .union([ProblemType, z.string()])
      .openapi({ description: 'A known type, one that a later version adds, or `about:blank`' }),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    values: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .optional()
      .openapi({ description: 'What a sentence about a problem of this type needs, for translations' }),
    errors: z.array(z.object({ path: z.string(), message: z.string() }).openapi('FieldError')).optional(),
    outcome: z.unknown().optional(),
    limit: z
      .object({ name: z.string(), used: z.number().int(), most: z.number().int(), variable: z.string().optional() })
      .openapi('Limit')
      .optional(),
  })
  .openapi('Problem', {
    description:
      'Problem details (RFC 9457). `errors` lists the invalid fields of a 400, `outcome` is the first answer in a 409, `limit` is what a 429 has reached',
    examples: [example.problem],
  });

export const Id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'use 1 to 64 letters, digits, - or _');
/** Another user whom a request names. */
export const UserId = z.string().regex(userId.pattern, userId.words);
/** The id of a callback, a timer or a memory, which derives from a call's. */
export const PartId = z.string().regex(/^[\w.-]{1,120}$/);
export const Text = z.string().trim().min(1).max(100_000);
export const inConversation = z.object({ id: Id.openapi({ description: 'The id of the conversation' }) });
export const Cursor = z.string().optional().openapi({ description: 'The `cursor` of the previous page' });

/** @throws BadRequest if the chosen id is too long. */
export function newIdFor(user: string, chosen?: string): string {
  const id = chosen === undefined ? newConversationId() : chosenConversationId(user, chosen);
  if (Id.safeParse(id).success) return id;
  throw new BadRequest([{ path: 'id', message: 'use at most 46 characters' }]);
}

/** @throws BadRequest if there is no such agent. */
export function checkAgent(agents: ReadonlyMap<string, unknown>, agent: string): void {
  if (agents.has(agent)) return;
  const message = `there is no agent "${agent}"; there are: ${[...agents.keys()].join(', ')}`;
  throw new BadRequest([{ path: 'agent', message }]);
}

export const json = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  description,
  content: { 'application/json': { schema } },
});

export const problem = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: Problem } },
});

export const body = <Schema extends z.ZodType>(schema: Schema) => ({
  required: true,
  content: { 'application/json': { schema } },
});
