import { clsx } from 'clsx';
import { FileText, Image, Music } from 'lucide-react';
import type { ComponentProps } from 'react';
import { kindOf, nameParts } from './file-words';

/** A file's name on one line. A long one is cut before its ending. */
export function Name({ name, className }: { name: string; className?: string }) {
  const [stem, ending] = nameParts(name);
  return (
    <bdi title={name} className={clsx('flex', className)}>
      <span className="truncate">{stem}</span>
      <span className="shrink-0">{ending}</span>
    </bdi>
  );
}

export function FileIcon({ mediaType, ...rest }: { mediaType: string } & ComponentProps<'svg'>) {
  const Icon = mediaType.startsWith('image/') ? Image : kindOf(mediaType) === 'sound' ? Music : FileText;
  return <Icon aria-hidden {...rest} />;
}
