import { type RefObject, useEffect, useState } from 'react';
import type { ZipProgress } from 'vigil-client/export';
import { sizeWords } from '../files/file-words';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { save } from '../ui/save';
import { wordsOf } from '../words/problem-words';

export interface ExportZipProps {
  id: string;
  close: () => void;
  opener: RefObject<HTMLElement | null>;
}

/** Makes the zip of a conversation while it is open: closing it stops everything. */
export function ExportZip({ id, close, opener }: ExportZipProps) {
  const { client } = useVigil();
  const [attempt, setAttempt] = useState(0);
  const [progress, setProgress] = useState<ZipProgress>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const control = new AbortController();
    const { signal } = control;
    const make = async () => {
      setProblem(undefined);
      setProgress(undefined);
      const { zipConversation } = await import('vigil-client/export');
      const { stream, filename } = await zipConversation(client, id, {
        signal,
        onProgress: (next) => signal.aborted || setProgress({ ...next }),
      });
      // Browsers keep a large one on the disk.
      const content = await new Response(stream, { headers: { 'content-type': 'application/zip' } }).blob();
      if (signal.aborted) return;
      save(content, filename);
      close();
    };
    make().catch((error: unknown) => signal.aborted || setProblem(wordsOf(error)));
    return () => control.abort();
  }, [client, id, attempt]);
  return (
    <Dialog label={t('Export with files')} close={close} opener={opener} className="w-96 max-w-[calc(100vw-2rem)]">
      <div className="grid gap-3 p-5">
        <h2 className="font-semibold">{t('Export with files')}</h2>
        {problem === undefined ? (
          <Making progress={progress} />
        ) : (
          <p role="alert" className="text-bad text-sm">
            {t('Not exported: {problem}', { problem })}
          </p>
        )}
        <div className="flex justify-end gap-2">
          {problem !== undefined && <Button onClick={() => setAttempt(attempt + 1)}>{t('Try again')}</Button>}
          <Button look="quiet" onClick={close} data-autofocus>
            {t('Cancel')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function Making({ progress }: { progress?: ZipProgress }) {
  const { files = 0, totalFiles = 0, bytes = 0, totalBytes = 0 } = progress ?? {};
  return (
    <>
      <progress
        aria-label={t('Reading the files')}
        value={progress && totalBytes > 0 ? Math.min(1, bytes / totalBytes) : undefined}
        max={1}
        className="h-1 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent forced-colors:appearance-auto"
      />
      <p role="status" className="text-muted text-sm">
        {progress
          ? t('{files} of {total, plural, one {# file} other {# files}}, {read} of {size}', {
              files,
              total: totalFiles,
              read: sizeWords(bytes),
              size: sizeWords(totalBytes),
            })
          : t('Reading the conversation…')}
      </p>
    </>
  );
}
