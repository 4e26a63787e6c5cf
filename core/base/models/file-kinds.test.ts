import { fileKind, fileTokens } from './file-kinds';
import { models, takenKinds, takesOf } from './models';

test('what a model gets of a file depends on its type alone, however it is written (R212)', () => {
  const types = {
    image: ['image/png', 'IMAGE/JPEG', 'image/gif', 'image/webp'],
    pdf: ['application/pdf', 'application/pdf; version=1.7'],
    text: [
      'text/plain;charset=latin1',
      'text/csv',
      'text/markdown',
      'application/json',
      'image/svg+xml',
      'application/x-yaml',
    ],
    html: ['text/html', 'application/xhtml+xml'],
    office: [
      'application/msword',
      'application/vnd.ms-excel',
      'application/vnd.oasis.opendocument.text',
      'text/rtf',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      // What the bytes of an old document show.
      'application/x-cfb',
    ],
    other: [
      'image/heic',
      'image/tiff',
      'audio/mpeg',
      'video/mp4',
      'application/zip',
      'application/vnd.ms-outlook',
      'application/octet-stream',
      '',
    ],
  };
  for (const [kind, all] of Object.entries(types))
    for (const type of all) expect([type, fileKind(type)]).toEqual([type, kind]);
});

test('a file has the tokens of what a model gets of it, and never more than a document may have (R212)', () => {
  const tokens = (mediaType: string, size: number, takes = takenKinds as never) =>
    fileTokens({ mediaType, size }, takes);
  expect([tokens('image/png', 5_000_000), tokens('image/png', 100)]).toEqual([1_600, 1_600]);
  expect([tokens('application/pdf', 10), tokens('application/pdf', 1_000_000)]).toEqual([3_000, 30_000]);
  expect(tokens('application/pdf', 500_000_000)).toBe(300_000);
  expect([tokens('text/csv', 4_000), tokens('text/csv', 500_000_000)]).toEqual([1_040, 12_540]);
  expect(tokens('application/pdf', 500_000_000, [] as never)).toBe(12_540);
  expect([tokens('application/msword', 4_000), tokens('application/msword', 500_000_000)]).toEqual([1_040, 12_540]);
  for (const type of ['image/png', 'video/mp4']) expect(tokens(type, 500_000_000, [] as never)).toBe(40);
});

test('a model takes what its author says, or its maker; one that nobody knows takes nothing (R212)', () => {
  const seeing = [
    ...Object.keys(models),
    'gpt-4o-2024-11-20',
    'gpt-6.4-sol',
    'o3',
    'o4-mini',
    'claude-opus-6',
    'claude-3-7-sonnet-latest',
    'eu.anthropic.claude-sonnet-5',
    'anthropic.claude-3-haiku-20240307-v1:0',
    'us.amazon.nova-pro-v1:0',
    'us-gov.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'amazon.nova-2-lite-v1:0',
  ];
  for (const name of seeing) expect([name, takesOf({ name })]).toEqual([name, ['image', 'pdf']]);
  const blind = [
    'qwen3',
    'deepseek-flash',
    'gpt-3.5-turbo',
    'gpt-oss-120b',
    'o1-mini',
    'o3-mini',
    'gpt-4o-audio-preview',
    'amazon.nova-micro-v1:0',
    'meta.llama4-maverick',
    'anthropic.claude-v2:1',
    'anthropic.claude-instant-v1',
    'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a',
  ];
  for (const name of blind) expect([name, takesOf({ name })]).toEqual([name, []]);
  expect(takesOf({ name: 'qwen3', takes: ['image'] })).toEqual(['image']);
  expect(takesOf({ name: 'gpt-6.1-sol', takes: [] })).toEqual([]);
});
