import { clsx } from 'clsx';
import { FileText, Film, Image, Music } from 'lucide-react';
import type { ComponentProps } from 'react';
import { nameParts } from './file-words';

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

const icons: Readonly<Record<string, typeof Image>> = { audio: Music, image: Image, video: Film };

export function FileIcon({ mediaType, ...rest }: { mediaType: string } & ComponentProps<'svg'>) {
  const [kind] = mediaType.split('/');
  const Icon = icons[kind!] ?? FileText;
  return <Icon aria-hidden {...rest} />;
}
