import { countedSteps, idOfPage, sumOf, textReply } from '../../test/support/tables/counted-steps';
import { callLook } from '../../test/support/tables/steps';
import { startTable } from '../../test/support/tables/table';
import type { Figure } from './measure';

const streamedKilobytes = [1, 16, 128];

/**
 * Counts the write units of a streamed reply and of a step with a tool call, as the table's engine reports them. The table has the indexes
 * of the deployed one. A text comes more slowly than it is written, which costs most.
 */
export async function writesBench(): Promise<Figure[]> {
  const table = await startTable();
  try {
    const figures: Figure[] = [];
    for (const kilobytes of streamedKilobytes) {
      const [step] = await countedSteps(table, `text${kilobytes}`, [textReply(kilobytes * 1_024)]);
      figures.push(figureOf(`text${kilobytes}Kb`, `a reply of ${kilobytes} KB`, step!, sumOf(step!) / kilobytes));
    }
    const [, step] = await countedSteps(table, idOfPage, [callLook, callLook]);
    return [...figures, figureOf('stepWithTool', 'a step with a tool call', step!)];
  } finally {
    await table.stop();
  }
}

function figureOf(key: string, name: string, units: Map<string, number>, perKilobyte?: number): Figure {
  const parts = [...units].map(([write, sum]) => `${write} ${sum}`);
  const ratio = perKilobyte === undefined ? [] : [`${perKilobyte.toFixed(1)} a KB`];
  return { key, name, value: sumOf(units), unit: '', note: [...ratio, ...parts].join(' · ') };
}
