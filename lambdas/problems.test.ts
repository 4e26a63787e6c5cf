import { HTTPException } from 'hono/http-exception';
import { NotFound } from '../core/errors';
import { problemOf } from './problems';

describe('problem details', () => {
  test('a body that cannot be read is named as the field that is wrong', () => {
    expect(problemOf(new HTTPException(400, { message: 'Malformed JSON in request body' }))).toEqual({
      status: 400,
      detail: 'body: is not valid JSON',
      errors: [{ path: 'body', message: 'is not valid JSON' }],
    });
  });

  test('an error of ours says its own words', () => {
    expect(problemOf(new NotFound('There is no such conversation.'))).toEqual({
      status: 404,
      detail: 'There is no such conversation.',
    });
  });

  test('R35 what nobody expected says nothing of its inside, and the log says where it was', () => {
    const log = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    expect(JSON.stringify(problemOf(new Error('pineapple')))).not.toContain('pineapple');
    const line = String(log.mock.calls[0]![0]);
    log.mockRestore();
    expect(line).not.toContain('pineapple');
    expect(JSON.parse(line)).toMatchObject({ error: 'Error', frames: expect.stringMatching(/problems\.test\.ts/) });
  });
});
