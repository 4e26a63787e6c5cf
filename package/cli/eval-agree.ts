import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Conversation } from 'vigil-client';
import { ConfigurationError } from '../../core/base/text/errors';
import { agreementLines, judgedReplies, ratedReplies } from '../eval/agree';
import type { Eval } from '../eval/define';
import { readRecording } from '../eval/recording';
import type { Scorer } from '../eval/scorers';
import { evalFiles, evalsOf } from './eval-files';
import { judgeBy, judgedWords, openReplies } from './eval-replies';

/** A judge, and the recordings of the agents whose evals have it. */
interface Asked {
  scorer: Scorer;
  recordings: Map<string, Conversation>;
}

/**
 * Compares the judges of these files' evals with the thumbs in the recordings next to the files, and says how far they agree.
 *
 * @returns whether each judge has given all of its verdicts.
 * @throws Error in one line.
 */
export async function agreeWithPeople(files: string[], say: (text: string) => void): Promise<boolean> {
  const asked = await judgesIn(evalFiles(files));
  const rated = asked.map(({ scorer, recordings }) => ({
    scorer,
    replies: [...recordings].flatMap(([file, conversation]) => ratedReplies(file, conversation)),
  }));
  if (rated.every(({ replies }) => replies.length === 0))
    throw new ConfigurationError(
      'No reply in the recordings has a thumb: give some on the page, and pull these conversations again.',
    );
  const kept = await openReplies();
  if (!kept) throw new ConfigurationError('A judge asks a model: set OPENAI_API_KEY.');
  try {
    const judge = judgeBy(kept);
    let isWhole = true;
    for (const { scorer, replies } of rated) {
      const judged = await judgedReplies(scorer, replies, judge.ask);
      isWhole &&= judged.every(({ verdict }) => verdict !== undefined);
      for (const line of agreementLines(scorer, judged)) say(line);
    }
    say(judgedWords(judge, kept));
    return isWhole;
  } finally {
    await kept.stop();
  }
}

/** @throws ConfigurationError if there is no judge, or no recording for any. */
async function judgesIn(files: string[]): Promise<Asked[]> {
  const found = new Map<string, Asked>();
  const agents = new Set<string>();
  for (const file of files)
    for (const one of await evalsOf(file)) {
      const recordings = recordingsOf(one, join(dirname(file), 'recorded'));
      for (const scorer of [one, ...one.cases].flatMap(judgesOf)) {
        // The same judge in several cases and evals is asked once.
        const key = JSON.stringify(scorer.judge);
        const known = found.get(key) ?? { scorer, recordings: new Map() };
        found.set(key, known);
        agents.add(one.agent);
        for (const [path, conversation] of recordings) known.recordings.set(path, conversation);
      }
    }
  const judges = [...found.values()];
  if (judges.length === 0)
    throw new ConfigurationError('The evals have no judge: add `judge({ rubric: … })` to `scorers` or `holds`.');
  if (judges.every(({ recordings }) => recordings.size === 0))
    throw new ConfigurationError(
      `There is no recording of ${[...agents].join(', ')} in recorded/ next to the evals: \`vigil eval pull\` writes one.`,
    );
  return judges;
}

const judgesOf = ({ scorers = [], holds = [] }: { scorers?: Scorer[]; holds?: Scorer[] }): Scorer[] =>
  [...scorers, ...holds].filter(({ judge }) => judge);

/** Returns the conversations that began with the agent, or are with it now, by their files. */
function recordingsOf({ agent }: Eval, folder: string): [file: string, conversation: Conversation][] {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  return files
    .sort()
    .map((name): [string, Conversation] => [join(folder, name), readRecording(join(folder, name)).conversation])
    .filter(([, { agent: last, messages }]) => {
      const first = messages.find(({ role }) => role === 'assistant')?.author;
      return first === agent || last === agent;
    });
}
