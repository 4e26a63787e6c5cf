import { startVigil, type Vigil } from './support/clouds/vigil';
import { png } from './support/sample-files';
import { type ModelServer, startModelServer } from './support/servers/model-server';

// Files that a model's provider makes for a reply, by the real parts: the step, the store, the API and every reader.

const picture = png(4, 4, 77);
const drawing = {
  type: 'image_generation_call',
  id: 'ig_1',
  status: 'completed',
  output_format: 'png',
  result: picture.toString('base64'),
  revised_prompt: 'A cat',
};
const citation = { type: 'container_file_citation', container_id: 'cntr_1', file_id: 'cfile_1', filename: 'sum.csv' };
const program = { type: 'code_interpreter_call', code: 'sum()', container_id: 'cntr_1', outputs: null };

describe('files that models make', () => {
  let vigil: Vigil;
  let near: ModelServer;
  beforeAll(async () => {
    near = await startModelServer();
    vigil = await startVigil({ variables: { NEAR_SERVER_BASE_URL: near.url } });
  });
  afterAll(async () => {
    await vigil?.stop();
    await near.stop();
  });

  test('are stored before the reply, outlive a kill -9, are shown to the model again, and go with the conversation (R210, R212)', async () => {
    near.begin({
      script: [
        { thought: 'I draw.', hosted: [drawing], text: 'Here is a cat.' },
        { hosted: [program], text: 'See sum.csv.', annotations: [{ ...citation, start_index: 4, end_index: 11 }] },
        { text: 'Yes, it is grey.' },
      ],
    });
    near.containers.set('cntr_1/cfile_1', { bytes: Buffer.from('a,1\n'), statuses: [500] });
    let ada = await vigil.user('ada');
    const { id } = await ada.start('online', 'Draw a cat.');
    await ada.finished(id);
    await vigil.kill();
    await vigil.restart();
    ada = await vigil.user('ada');
    await ada.say(id, 'And the sum?');
    const replied = (count: number) =>
      ada.until(
        id,
        ({ status, messages }) =>
          status === 'done' && messages.filter(({ role }) => role === 'assistant').length === count,
      );
    await replied(2);
    await ada.say(id, 'Is the cat grey?');
    const { messages } = await replied(3);
    const replies = messages.filter(({ role }) => role === 'assistant');
    expect(replies).toMatchObject([
      {
        hosted: [{ tool: 'image_generation', input: 'A cat', status: 'completed' }],
        parts: [
          { type: 'text', text: 'Here is a cat.' },
          { type: 'file', mediaType: 'image/png', size: picture.length },
        ],
      },
      { parts: [{ type: 'text' }, { type: 'file', mediaType: 'text/csv', filename: 'sum.csv', size: 4 }] },
      { text: 'Yes, it is grey.' },
    ]);
    const [cat, sum] = replies.flatMap(({ parts = [] }) => parts.flatMap((part) => (part.type === 'file' ? part : [])));
    expect(Buffer.from(await ada.bytesOf(id, cat!.id))).toEqual(picture);
    expect(Buffer.from(await ada.bytesOf(id, sum!.id)).toString()).toBe('a,1\n');
    const last = JSON.stringify(near.requests.at(-1)!.input);
    expect(last).toContain(`data:image/png;base64,${picture.toString('base64')}`);
    expect(last).toMatch(/Your reply before this has these files/);
    expect(last).not.toContain('image_generation_call');

    const eve = await vigil.user('eve');
    await expect(eve.client.api.file(id, cat!.id)).rejects.toMatchObject({ status: 404 });
    expect(vigil.logs()).not.toContain(picture.toString('base64').slice(0, 40));
  });
});
