import { startVigil, type Vigil } from './support/clouds/vigil';
import { playCrowd } from './support/stories/crowd/crowd';
import { crowdModel, kinds } from './support/stories/crowd/kinds';

// R188: many conversations of all kinds beside one another. `npm run bench -- --only scale` plays the same with a thousand.

const count = 40;

describe('many conversations beside one another', () => {
  let vigil: Vigil;
  beforeEach(async () => {
    vigil = await startVigil();
  });
  afterEach(() => vigil?.stop());

  test('all start, are answered and wake at once; each says and does everything once (R188)', async () => {
    const at = new Date((await vigil.now()).getTime() + 86_400_000);
    vigil.model.script(crowdModel(at.toISOString(), 0));
    const { url, table } = vigil;
    const userOf = (number: number) => vigil.idOf(`ada${number}`);
    const { problems } = await playCrowd({ url, table, count, at, userOf });
    expect(problems).toEqual([]);
    const modelCalls = Array.from({ length: count }, (_, number) => kinds[number % kinds.length]!.modelCalls);
    expect(vigil.model.calls).toBe(modelCalls.reduce((sum, calls) => sum + calls));
  });
});
