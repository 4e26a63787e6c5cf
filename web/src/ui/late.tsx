import { Component, type ReactNode, Suspense } from 'react';
import { Trouble } from './trouble';

interface LateProps {
  /** Parts that are loaded when they are first shown, made by `lazy`. */
  children: ReactNode;
  /** What is shown meanwhile. */
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
        title="This part cannot be shown"
        problem="It could not be loaded, or it failed. A new version of the page may have been deployed."
        retry={() => location.reload()}
      />
    );
  }
}
