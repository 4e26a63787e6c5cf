import { type ReactNode, useId } from 'react';

interface SettingsSectionProps {
  title: string;
  about?: string;
  children: ReactNode;
}

/** A part of the settings, with its heading. */
export function SettingsSection({ title, about, children }: SettingsSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3 border-line border-t px-5 py-4 first:border-t-0">
      <div>
        <h3 id={id} className="font-semibold">
          {title}
        </h3>
        {about && <p className="text-muted">{about}</p>}
      </div>
      {children}
    </section>
  );
}
