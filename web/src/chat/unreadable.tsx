/** Says of a row that a part of it cannot be read. The rest is shown. */
export function Unreadable({ what, field }: { what: string; field: string | undefined }) {
  if (field === undefined) return null;
  return (
    <p data-unreadable={field} className="text-faint text-xs">
      A part of this {what} cannot be read: its field “{field}” is not valid.
    </p>
  );
}
