import type { TimelineRun } from '../../../core/views/timeline';
import { useVigil } from '../hooks/use-vigil';
import { executionAddress } from '../rows/step-functions';

const shownAtMost = 20;

/** For developers on AWS: where the executions of a run are in the console. A laptop has no console. */
export function Executions({ run: { id, segments }, machine }: { run: TimelineRun; machine: string }) {
  const isLaptop = useVigil().clock !== undefined;
  const all = Array.from({ length: segments }, (_, index) => index + 1);
  const links = all.slice(-shownAtMost).map((segment) => [segment, executionAddress(machine, id, segment)] as const);
  if (isLaptop || links.every(([, address]) => address === undefined)) return null;
  return (
    <ul aria-label="Open in Step Functions" className="mt-2 flex flex-wrap gap-x-3 gap-y-1 text-sm">
      {links.map(([segment, address]) => (
        <li key={segment}>
          <a href={address} target="_blank" rel="noreferrer" className="text-accent underline underline-offset-2">
            {segments === 1 ? 'Open in Step Functions' : `Segment ${segment} in Step Functions`}
          </a>
        </li>
      ))}
    </ul>
  );
}
