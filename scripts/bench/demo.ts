import { type Figure, median, run } from './measure';

/** Measures `npm run demo` as a whole, and the reminder story in it. */
export async function demoBench(): Promise<Figure[]> {
  const whole: number[] = [];
  const story: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    const { output, ms } = await run(['npm', 'run', '-s', 'demo', '--', '--json']);
    whole.push(ms);
    story.push((JSON.parse(output) as { ms: number }).ms);
  }
  return [
    { key: 'commandMs', name: 'npm run demo', value: median(whole), unit: 'ms', note: 'whole command; median of 3' },
    {
      key: 'storyMs',
      name: 'the story in it',
      value: median(story),
      unit: 'ms',
      note: 'request to end of run, one night included',
    },
  ];
}
