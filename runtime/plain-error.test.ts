import { ModelRejected } from '../core/base/text/errors';
import { type LoggedLine, loggedLines } from '../test/support/logged';
import { plainError } from './plain-error';

describe('an error as others may see it', () => {
  let lines: LoggedLine[];
  beforeEach(() => {
    lines = loggedLines();
  });
  afterEach(() => jest.restoreAllMocks());

  test('an error of Vigil keeps its message, for people', () => {
    const plain = plainError(new ModelRejected('The model refused the content.'), { runId: 'r' });
    expect([plain.name, plain.message]).toEqual(['ModelRejected', 'The model refused the content.']);
    expect(lines[0]).toMatchObject({ runId: 'r', error: 'ModelRejected' });
  });

  test('any other gives its name only, and the log has its origin but not its message (R35)', () => {
    const cause = Object.assign(new Error('pineapple'), { status: 400, code: 'pineapple is a word' });
    const error = new TypeError('no pineapple\n    at the market (pineapple.ts:1:2)\nfor pineapple', { cause });
    const plain = plainError(error, {});
    expect(plain.message).toBe("The platform failed (TypeError); the function's log says more.");
    expect(JSON.stringify([plain.message, plain.stack, ...lines])).not.toContain('pineapple');
    const { frames, ...line } = lines[0]!;
    expect(frames).toMatch(/plain-error\.test\.ts:\d+:\d+/);
    expect(line).toMatchObject({ error: 'TypeError', cause: 'Error', causeStatus: 400 });
  });

  test.each([undefined, null, 'pineapple', { name: 'pineapple on toast' }])('%j thrown is an error, too', (thrown) => {
    const plain = plainError(thrown, {});
    expect([plain.name, plain.message]).toEqual([
      'Error',
      "The platform failed (Error); the function's log says more.",
    ]);
    expect(JSON.stringify(lines)).not.toContain('pineapple');
  });
});
