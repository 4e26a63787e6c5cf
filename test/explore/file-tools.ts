import * as z from 'zod';
import { tableEffect } from '../../core/conversations/agent/table-effect';
import { defaultRetry, defineTool, type FunctionTool } from '../../core/conversations/agent/tool';
import { fileIdOf } from '../../core/conversations/files/stored-file';
import { fileInput } from '../../core/conversations/files/tool-files';
import { digestOf } from '../support/memory-file-store';
import { contents } from './user-files';
import { World } from './world';

/** A tool that makes a file, and one that reads a file by its id. The promises about them are those of `UserFiles`. */
export function fileTools(number: number, maxAttempts: number): FunctionTool[] {
  const base = {
    description: 'Does something with files.',
    output: z.unknown(),
    needs: { files: true as const },
    retry: { ...defaultRetry, maxAttempts },
    afterUntrusted: () => 'allow' as const,
  };
  const isTable = number % 2 === 0;
  return [
    defineTool({
      ...base,
      name: `d${number}_write`,
      input: z.object({}),
      effect: isTable ? 'table' : 'idempotent',
      async execute(_input: object, { callId, files }: Context) {
        const { random } = World.current;
        // Another attempt may make another one, and some are not returned.
        const text = random.pick([...contents, `by ${callId}`]);
        const file = await files.write({ bytes: Buffer.from(text), mediaType: 'text/plain', filename: 'made.txt' });
        const output = random.chance(0.9) ? { file } : {};
        return isTable ? tableEffect({ output }) : output;
      },
    } as never) as FunctionTool,
    defineTool({
      ...base,
      name: `d${number}_read`,
      input: z.object({ file: fileInput('What is read') }),
      effect: 'read',
      async execute({ file: id }: { file: string }, { conversationId, files }: Context) {
        const { bytes } = await files.read(id);
        World.current.ledger.filesRead.push({ conversationId, id, found: fileIdOf(digestOf(bytes)) });
        return bytes.length;
      },
    } as never) as FunctionTool,
  ];
}

type Context = Parameters<FunctionTool['execute']>[1];
