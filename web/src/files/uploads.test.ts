import { withDraft } from '../hooks/drafts';
import { vigilState } from '../state/vigil-state';
import { filesAt, filesPlace } from './draft-files';
import { uploadsOf } from './uploads';

type Upload = Parameters<typeof uploadsOf>[0]['upload'];

const id = 'f_a';
/** Waits for the thing itself: the bytes are read and a part of the page is loaded meanwhile. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
const text = (name = 'notes.txt') => new File(['hello'], name, { type: 'text/plain' });

function given(upload: Upload) {
  const store = vigilState();
  return { store, uploads: uploadsOf({ store, upload }), files: () => filesAt(store.getState().drafts, 'c') };
}
const stored = (file: Blob) => ({ type: 'file' as const, id, mediaType: file.type, size: file.size });

test('a removed file is aborted and does not come back (R215)', async () => {
  let signal: AbortSignal | undefined;
  const { uploads, files } = given((_, options) => {
    signal = options?.signal;
    return new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason as Error)));
  });
  uploads.add('c', [text()]);
  await until(() => signal !== undefined);
  uploads.remove('c', files()[0]!.key);
  await until(() => uploads.progress().size === 0);
  expect([signal!.aborted, files()]).toEqual([true, []]);
});

test('three files are uploaded at a time, and a message has twenty at most (R215)', async () => {
  const waiting: (() => void)[] = [];
  const { uploads, files, store } = given(async (file) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return stored(file);
  });
  uploads.add(
    'c',
    Array.from({ length: 22 }, (_, nth) => text(`${nth}.txt`)),
  );
  await until(() => waiting.length === 3);
  expect(files().length).toBe(20);
  expect(store.getState().notices.map((one) => one.text)).toEqual([
    'A message has at most 20 files; 2 files were not added.',
  ]);
  waiting[0]!();
  await until(() => waiting.length === 4);
});

test('after a reload, what was uploaded is there, and what was under way is said to be lost (R215)', () => {
  const { store, uploads, files } = given(() => Promise.reject(new Error('unused')));
  const kept = [
    { key: 'a', name: 'a.png', mediaType: 'image/png', size: 1, id },
    { key: 'b', name: 'b.png', mediaType: 'image/png', size: 1 },
  ];
  store.setState(({ drafts }) => ({ drafts: withDraft(drafts, filesPlace('c'), kept) }));
  uploads.recover('c');
  expect(files()).toMatchObject([{ id }, { problem: expect.stringContaining('Add it again') }]);
  expect([files()[0]!.problem, uploads.canRetry('b')]).toEqual([undefined, false]);
});
