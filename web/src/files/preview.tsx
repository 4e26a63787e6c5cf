import { useEffect, useRef } from 'react';

/** A small picture in base64. It is drawn, because the page's policy shows no pictures of its own making. */
export function Preview({ preview, className }: { preview: string; className?: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let gone = false;
    const bytes = Uint8Array.from(atob(preview), (sign) => sign.charCodeAt(0));
    createImageBitmap(new Blob([bytes], { type: 'image/jpeg' })).then(
      (bitmap) => {
        const { current } = canvas;
        if (gone || !current) return;
        current.width = bitmap.width;
        current.height = bitmap.height;
        current.getContext('2d')!.drawImage(bitmap, 0, 0);
        bitmap.close();
      },
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [preview]);
  return <canvas ref={canvas} aria-hidden className={className} />;
}
