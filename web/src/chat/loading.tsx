import { t } from '../languages/catalogue';
/** Stands for a conversation that is being loaded. */
export function Loading() {
  return (
    <div
      role="status"
      aria-label={t('Loading the conversation')}
      className="mx-auto flex w-full max-w-[46rem] grow flex-col gap-5 p-6"
    >
      {['w-1/2 self-end', 'w-4/5', 'w-3/5'].map((width) => (
        <div key={width} className={`h-12 animate-breathe rounded-xl bg-line/50 ${width}`} />
      ))}
    </div>
  );
}
