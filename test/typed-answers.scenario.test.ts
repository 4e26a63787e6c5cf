import { startVigil, type Vigil } from './support/clouds/vigil';
import type { Reply } from './support/servers/model-server';
import { call } from './support/stories/transcript';

// An agent with an output ends with an object that fits it, whatever its provider holds it to.

const kyoto = { city: 'Kyoto', days: 3, why: null };
const says = (value: unknown): Reply => ({ text: JSON.stringify(value) });

describe('a typed answer (R135)', () => {
  let vigil: Vigil;
  beforeAll(async () => {
    vigil = await startVigil({ variables: { VIGIL_MODEL_API: 'responses', VIGIL_MODEL: 'gpt-6.1-terra' } });
  });
  afterAll(() => vigil?.stop());
  async function plan(...replies: Reply[]) {
    vigil.model.script(replies);
    const ada = await vigil.user();
    const { id } = await ada.start('typed', 'Where to?');
    return { ada, id, ended: await ada.finished(id) };
  }

  test('is the run’s result; the model is told the schema, and once more if it does not fit', async () => {
    const fenced = `\`\`\`json\n${JSON.stringify(kyoto)}\n\`\`\``;
    const { ended } = await plan(call('t', 'current_time', {}), says({ ...kyoto, days: 0 }), { text: fenced });
    expect(ended).toMatchObject({ status: 'done', run: { status: 'done', step: 3, result: kyoto } });
    const format = { type: 'json_schema', name: 'result', strict: true, schema: { required: ['city', 'days', 'why'] } };
    expect(vigil.model.requests.at(-1)).toMatchObject({ text: { format } });
    const said = JSON.stringify(vigil.model.requests.at(-1));
    expect(said).toContain('fits this JSON schema');
    expect(said).toMatch(/does not fit the schema: days: /);
  });

  test('that does not fit twice fails the run, which can be tried again', async () => {
    const { ada, id, ended } = await plan({ text: 'Kyoto!' }, says({ city: 'Kyoto' }));
    expect(ended).toMatchObject({
      status: 'failed',
      run: { reason: expect.stringContaining('did not fit its output schema 2 times in a row: days:') },
    });
    expect(ended.run).not.toHaveProperty('result');
    vigil.model.script([says(kyoto)]);
    await ada.request('POST', `/conversations/${id}/retry`);
    expect((await ada.until(id, ({ status }) => status === 'done')).run).toMatchObject({ result: kyoto });
  });
});
