import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { RequestFailed } from 'vigil-client';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { nowIn } from '../state/now';
import type { Vigil } from '../state/vigil';
import type { VigilStore } from '../state/vigil-state';
import { wordsOf } from '../words/problem-words';
import type { ShownFile } from './shown-files';

interface Asked {
  conversationId: string;
  file: ShownFile;
  as: 'inline' | 'attachment';
}

interface Address {
  url: string;
  expiresAt: string;
}

/** An address that expires while it is used is no use. */
const marginMs = 30_000;

const addresses = new WeakMap<VigilStore, Map<string, Promise<Address>>>();

/** Returns the address of a file: the last one until it expires, so that the browser knows what it has loaded. @throws RequestFailed. */
async function addressOf(
  { store, fileAddress }: Pick<Vigil, 'store' | 'fileAddress'>,
  { conversationId, file, as }: Asked,
  isRefused = false,
): Promise<string> {
  const known = addresses.get(store) ?? new Map<string, Promise<Address>>();
  addresses.set(store, known);
  const key = [conversationId, file.id, as, file.filename].join(' ');
  const last = isRefused ? undefined : await known.get(key)?.catch(() => undefined);
  if (last && Date.parse(last.expiresAt) - marginMs > nowIn(store.getState())) return last.url;
  const asked = fileAddress(conversationId, file.id, as, file.filename);
  known.set(key, asked);
  return (await asked).url;
}

/** Saves a file, or opens one that is shown in a new tab. @throws RequestFailed. */
export async function followAddress(vigil: Pick<Vigil, 'store' | 'fileAddress'>, asked: Asked): Promise<void> {
  const link = document.createElement('a');
  link.href = await addressOf(vigil, asked);
  // It gives the tab no opener either.
  link.rel = 'noreferrer';
  if (asked.as === 'inline') link.target = '_blank';
  link.click();
}

export interface FileAddress {
  url?: string;
  /** Differs for each address that was asked for: one of the same second is the same, and an element loads it only once. */
  attempt: number;
  /** The reason why it cannot be shown. */
  problem?: string;
  /** Whether it is deleted, so that it is no use to try again. */
  isGone?: boolean;
  /** To be called when the browser cannot load it: the address may have expired. */
  failed(): void;
  loaded(): void;
  retry(): void;
}

/** The address of a file to show or play, from when it is wanted. Another one is asked for when it cannot be loaded any more. */
export function useAddress(conversationId: string | undefined, file: ShownFile, isWanted: boolean): FileAddress {
  const vigil = useVigil();
  const [known, setKnown] = useState<Pick<FileAddress, 'url' | 'problem' | 'isGone'>>({});
  const attempt = useRef(0);
  const failures = useRef(0);
  const { id, filename } = file;
  const ask = useCallback(
    async (isRefused: boolean) => {
      if (conversationId === undefined) return;
      try {
        const asked = { conversationId, file: { id, filename } as ShownFile, as: 'inline' as const };
        const url = await addressOf(vigil, asked, isRefused);
        attempt.current += 1;
        setKnown({ url });
      } catch (error) {
        const isGone = error instanceof RequestFailed && error.status === 404;
        setKnown({
          isGone,
          problem: isGone ? t('This file is gone.') : t('Not loaded: {problem}', { problem: wordsOf(error) }),
        });
      }
    },
    [vigil, conversationId, id, filename],
  );
  useEffect(() => {
    if (isWanted) void ask(false);
  }, [isWanted, ask]);
  return {
    ...known,
    attempt: attempt.current,
    failed() {
      failures.current += 1;
      if (failures.current === 1) void ask(true);
      else setKnown({ problem: t('The file cannot be shown.') });
    },
    loaded() {
      failures.current = 0;
    },
    retry() {
      failures.current = 0;
      setKnown({});
      void ask(true);
    },
  };
}

/** Whether an element has been in view, or nearly. */
export function useWasInView(element: RefObject<Element | null>): boolean {
  const [was, setWas] = useState(false);
  useEffect(() => {
    if (was || !element.current) return;
    const seen = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setWas(true),
      { rootMargin: '300px' },
    );
    seen.observe(element.current);
    return () => seen.disconnect();
  }, [was, element]);
  return was;
}
