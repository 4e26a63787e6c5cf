/** Does one order for a process that cannot wait for promises (see `buildNow`): from stdin, its answer to stdout. */

import { text } from 'node:stream/consumers';
import { type Answer, build, loadFunctions, type Order } from './build';

async function answer(): Promise<Answer> {
  const order = JSON.parse(await text(process.stdin)) as Order;
  if ('load' in order) {
    await loadFunctions(...order.load);
    return {};
  }
  const { agents: _, ...built } = await build(order.build);
  return { built };
}

answer()
  .catch((error: Error): Answer => ({ problem: error.message }))
  .then((done) => process.stdout.write(`${JSON.stringify(done)}\n`));
