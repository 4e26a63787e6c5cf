import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { Button } from '../ui/button';
import { wordsOf } from '../words/problem-words';
import type { ShownFile } from './shown-files';
import { followAddress, useAddress } from './use-address';
import { NotShown, ViewerFrame } from './viewer-frame';

export interface PdfViewerProps {
  conversationId: string;
  file: ShownFile;
  close: () => void;
}

/**
 * Opens a PDF in the browser's own viewer, in a new tab. In a frame of the page, a link in the document would lead the page's tab away, and
 * browsers show no PDF in a sandboxed frame.
 */
export function PdfViewer({ conversationId, file, close }: PdfViewerProps) {
  return (
    <ViewerFrame conversationId={conversationId} file={file} kind="PDF" close={close}>
      <Pdf conversationId={conversationId} file={file} />
    </ViewerFrame>
  );
}

type PdfProps = Omit<PdfViewerProps, 'close'>;

function Pdf({ conversationId, file }: PdfProps) {
  const { url, problem, isGone, retry } = useAddress(conversationId, file, true);
  if (problem) return <NotShown problem={problem} retry={isGone ? undefined : retry} />;
  if (url) return <InTab conversationId={conversationId} file={file} />;
  return (
    <p role="status" className="grid h-full animate-breathe place-items-center text-muted">
      {t('Opening the PDF…')}
    </p>
  );
}

/** The address is known when the button is pressed, unless it has expired: a browser opens no tab long after a press. */
function InTab({ conversationId, file }: PdfProps) {
  const vigil = useVigil();
  const [problem, setProblem] = useState<string>();
  const open = () =>
    followAddress(vigil, { conversationId, file, as: 'inline' }).then(
      () => setProblem(undefined),
      (error: unknown) => setProblem(t('Not loaded: {problem}', { problem: wordsOf(error) })),
    );
  return (
    <div className="grid h-full content-center justify-items-center gap-4 p-8 text-center text-muted">
      <p>{t('A PDF opens in your browser’s viewer.')}</p>
      <Button look="strong" onClick={() => void open()} className="h-11 px-5">
        <ExternalLink aria-hidden className="size-4" />
        {t('Open in a new tab')}
      </Button>
      {problem && <p role="alert">{problem}</p>}
    </div>
  );
}
