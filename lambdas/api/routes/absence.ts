import * as z from 'zod';
import { Absence, StandIn } from '../../../core/base/state/schemas';
import { absenceOf, beAbsent, endAbsence } from '../../../core/conversations/approvals/absence';
import { signedInNow } from '../caller';
import type { App, Deployment } from '../deployment';
import { route } from '../route';
import { body, json, UserId } from '../shapes';

export const Absences = z.object({ absence: Absence.optional(), standsInFor: z.array(StandIn) }).openapi('Absences');

const BeAbsent = z
  .strictObject({
    to: UserId.openapi({ description: 'The user who decides in your place' }),
    from: z.iso.datetime().optional().openapi({ description: 'By default, now' }),
    until: z.iso.datetime().openapi({ description: 'At most 30 days from now' }),
  })
  .openapi('BeAbsent');

const read = route('getAbsence', 'Approvals', {
  method: 'get',
  path: '/absence',
  summary: 'Who decides in your place, and in whose place you decide',
  responses: { 200: json('Your absence, and those of others', Absences) },
});

const write = route('setAbsence', 'Approvals', {
  method: 'put',
  path: '/absence',
  summary:
    'Names who decides in your place what you decide as a member of a group or by a claim, until the token ends. Repeat it ' +
    'with another token of the sign-in to confirm it. It replaces what you named before, and your devices are told',
  request: { body: body(BeAbsent) },
  responses: { 200: json('Your absence, and those of others', Absences) },
});

const end = route('endAbsence', 'Approvals', {
  method: 'delete',
  path: '/absence',
  summary: 'Ends your absence',
  responses: { 204: { description: 'Ended' } },
});

export function absenceRoutes(app: App, { table, registry }: Deployment): void {
  app.openapi(read, async (context) => context.json(await absenceOf(table, context.get('user'), new Date()), 200));

  app.openapi(write, async (context) => {
    const now = new Date();
    const { to, from = now.toISOString(), until } = context.req.valid('json');
    const caller = context.get('caller');
    const { token } = signedInNow(caller);
    await beAbsent(table, registry, caller, { to, from, until }, now, token);
    return context.json(await absenceOf(table, context.get('user'), now), 200);
  });

  app.openapi(end, async (context) => {
    await endAbsence(table, context.get('user'), new Date());
    return context.body(null, 204);
  });
}
