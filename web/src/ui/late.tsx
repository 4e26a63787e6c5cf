import { Component, lazy, type ReactNode, Suspense } from 'react';
import { t } from '../languages/catalogue';
import { Trouble } from './trouble';

/** Returns a component that is loaded when it is first shown: `lazily(() => import('./chat'), 'Chat')`. */
export const lazily = <Name extends string, Props>(
  load: () => Promise<Record<Name, (props: Props) => ReactNode>>,
  name: Name,
) => lazy(async () => ({ default: (await load())[name] }));

interface LateProps {
  /** Parts that are loaded when they are first shown, made by `lazily`. */
  children: ReactNode;
  /** The content to show meanwhile. */
  meanwhile?: ReactNode;
}

/** Shows parts of the page that load late. One that cannot be loaded takes only its own place. */
export function Late({ children, meanwhile }: LateProps) {
  return (
    <Caught>
      <Suspense fallback={meanwhile}>{children}</Suspense>
    </Caught>
  );
}

/** Only a class can catch what its children throw. */
class Caught extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError = () => ({ failed: true });

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Trouble
        title={t('This part cannot be shown')}
        problem={t('It could not be loaded, or it failed. A new version of the page may have been deployed.')}
        retry={() => location.reload()}
      />
    );
  }
}
