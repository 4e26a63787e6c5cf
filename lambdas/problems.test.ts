import { HTTPException } from 'hono/http-exception';
import { type ProblemKind, problemKinds } from '../core/base/state/problem-kinds';
import {
  AlreadyAnswered,
  ConfigurationError,
  ConversationBusy,
  NotAllowed,
  NotFound,
  UnreadableRow,
  WrongState,
} from '../core/base/text/errors';
import { noConversation } from '../core/conversations/store/change-conversation';
import { RowConflict, type Table } from '../core/conversations/store/table';
import { apiDeployment } from '../test/support/api-deployment';
import { loggedLines } from '../test/support/logged';
import { api } from './api/app';
import { problemBody, problemOf, retryAfter } from './problems';

loggedLines();

const registry = { agents: new Map(), tools: new Map(), providers: new Map() };

describe('problem details', () => {
  test.each(['{"agent":', '', '{}}'])(
    'the body %j, which cannot be read, is named as the field that is wrong',
    async (body) => {
      const app = api(apiDeployment({} as Table, registry, { limits: () => ({}) }));
      const event = {
        requestContext: { authorizer: { jwt: { claims: { sub: 'ada', token_use: 'access', exp: '1900000000' } } } },
      };
      const headers = { 'content-type': 'application/json' };
      const answer = await app.request('/conversations', { method: 'POST', headers, body }, { event });
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(await answer.json()).toEqual({
        type: 'urn:vigil:problem:invalid-input',
        title: 'Bad request',
        status: 400,
        detail: 'body: is not valid JSON',
        errors: [{ path: 'body', message: 'is not valid JSON' }],
      });
    },
  );

  test('an error of Vigil keeps its message', () => {
    expect(problemOf(new NotFound('There is no such conversation.'))).toEqual({
      type: 'urn:vigil:problem:not-found',
      status: 404,
      detail: 'There is no such conversation.',
    });
  });

  test.each<[string, Error, object]>([
    ['already-answered', new AlreadyAnswered('answered', { approved: true }), { outcome: { approved: true } }],
    ['expired', new AlreadyAnswered('expired'), {}],
    ['withdrawn', new AlreadyAnswered('cancelled'), {}],
    ['no-conversation', noConversation('c'), {}],
    ['not-allowed', new NotAllowed('No.'), {}],
    ['owner-only', new NotAllowed('No.', { kind: 'owner-only' }), {}],
    ['wrong-state', new WrongState('No.'), {}],
    ['too-many-links', new WrongState('No.', { kind: 'too-many-links', values: { most: 3 } }), { values: { most: 3 } }],
    ['unreadable-row', new UnreadableRow('META', 'title', 'no'), {}],
    ['busy', new RowConflict('CALL#1'), {}],
    ['not-signed-in', new HTTPException(401, { message: 'No.' }), {}],
    ['misconfigured', new ConfigurationError('No.'), {}],
  ])('the type of a problem says its kind, and its status is that of the kind: %s (R179)', (kind, error, members) => {
    const known = problemKinds[kind as ProblemKind];
    expect(problemOf(error)).toMatchObject({ type: `urn:vigil:problem:${kind}`, status: known.status, ...members });
    expect(JSON.parse(problemBody(problemOf(error)))).toMatchObject({
      type: `urn:vigil:problem:${kind}`,
      status: known.status,
    });
  });

  test('what no kind describes has no type of its own (R179)', () => {
    expect(problemOf(new HTTPException(418, { message: 'No.' }))).toMatchObject({ type: 'about:blank', status: 418 });
  });

  test.each([new ConversationBusy('The conversation c keeps changing. Try again.'), new RowConflict('CALL#secret')])(
    'a conflict that outlasts all attempts passes: whoever asked may ask again ($name)',
    (conflict) => {
      const problem = problemOf(conflict);
      const { status, detail } = problem;
      expect([status, detail]).toEqual([503, expect.stringMatching(/keeps changing\. Try again\.$/)]);
      expect(retryAfter(problem)).toEqual({ 'retry-after': '1' });
    },
  );

  test('an unexpected error reveals no details, and the log has its origin (R35)', () => {
    const lines = loggedLines();
    expect(JSON.stringify(problemOf(new Error('pineapple')))).not.toContain('pineapple');
    expect(JSON.stringify(lines)).not.toContain('pineapple');
    expect(lines[0]).toMatchObject({ error: 'Error', frames: expect.stringMatching(/problems\.test\.ts/) });
  });
});
