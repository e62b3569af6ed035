import { sendToService, type ServiceAddress } from "./service-request.ts";
import type { SentTrunkList, TrunkReport } from "./trunk-list.ts";

/** Source of trunks, and receiver of what the switch holds. */
export interface TrunkService {
  /** Returns the list for this switch, or null if the reported list is still the right one. */
  sync(report: TrunkReport): Promise<SentTrunkList | null>;
}

interface Received extends Omit<SentTrunkList, "etag" | "trunks"> {
  /** False: the service has never had trunks for this switch. */
  is_managed: boolean;
  etag: string | null;
  trunks: SentTrunkList["trunks"] | null;
}

/** The service over HTTP, with the switch's credential. */
export function httpTrunkService(where: ServiceAddress): TrunkService {
  return {
    async sync(report) {
      const received = (await sendToService(where, "PUT", "/switch/v1/trunks", report)) as Received;
      const { is_managed: isManaged, etag, trunks, forwarding, passwords } = received;
      if (!isManaged || etag === null || trunks === null) return null;
      return { etag, trunks, forwarding, passwords };
    },
  };
}
