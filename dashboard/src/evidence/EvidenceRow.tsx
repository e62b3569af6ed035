import { Button } from "../components/Button.tsx";
import { evidenceText } from "./evidence-text.ts";

interface EvidenceRowProps {
  title: string;
  details: string;
  onDownload?: () => void;
  onDelete(): void;
}

/** One address or document. */
export function EvidenceRow({ title, details, onDownload, onDelete }: EvidenceRowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 grow">
        <p className="font-medium break-words">{title}</p>
        <p className="text-xs break-words text-ink-2">{details}</p>
      </div>
      {onDownload && (
        <Button size="small" aria-label={evidenceText.downloadOf(title)} onClick={onDownload}>
          {evidenceText.download}
        </Button>
      )}
      <Button size="small" aria-label={evidenceText.deleteOf(title)} onClick={onDelete}>
        {evidenceText.delete}
      </Button>
    </li>
  );
}
