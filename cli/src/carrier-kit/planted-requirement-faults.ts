import { randomUUID } from "node:crypto";
import type { Fault } from "./planted-ordering-faults.ts";

/** Mistakes about evidence. */
export const REQUIREMENT_FAULTS: Record<string, { fault: Fault; finds: string }> = {
  "hides the evidence that a number needs": {
    finds: "keeps a number pending, and lists the evidence that it needs",
    fault: (_, original) => ({
      requirementsOf: (reference) => original.requirementsOf(reference)?.slice(0, 0),
    }),
  },
  "sells a number without its evidence": {
    finds: "keeps a number pending, and lists the evidence that it needs",
    fault: (_, original) => ({
      order: (reference, wanted) =>
        original
          .order(reference, wanted)
          .map((item) => (item.outcome === "pending" ? { ...item, outcome: "bought" } : item)),
    }),
  },
  "records each repeat of a submission": {
    finds: "records evidence once if the response is lost and the submission repeated",
    fault: (_, original) => ({ submit: (_reference, wanted) => original.submit(randomUUID(), wanted) }),
  },
  "does not record evidence": {
    finds: "decides about the number when all evidence is decided",
    fault: () => ({ submit: () => ({ status: "pending", reason: null }) }),
  },
  "sells after the first evidence": {
    finds: "decides about the number when all evidence is decided",
    fault: (_, original) => ({
      orderStatus(reference) {
        const isBegun = original.requirementsOf(reference)?.some(({ status }) => status === "accepted");
        return original
          .orderStatus(reference)
          ?.map((item) => (isBegun && item.outcome === "pending" ? { ...item, outcome: "bought" } : item));
      },
    }),
  },
  "takes evidence for anything": {
    finds: "rejects evidence that the order does not need",
    fault: (_, original) => ({
      submit(reference, wanted) {
        const needed = original.requirementsOf(wanted.order)?.some(({ id }) => id === wanted.requirement);
        return needed ? original.submit(reference, wanted) : { status: "accepted", reason: null };
      },
    }),
  },
  "takes a used reference for another number": {
    finds: "rejects a submission for another number under the same reference",
    fault: (_, original) => ({
      submit: (reference, wanted) => original.submit(`${reference} ${wanted.number}`, wanted),
    }),
  },
  "does not cancel pending numbers": {
    finds: "cancels a pending number when it is released",
    fault: (_, original) => ({
      release(reference, wanted) {
        const order = wanted.boughtAs === null ? undefined : original.orderStatus(wanted.boughtAs);
        return order?.some(({ outcome }) => outcome === "pending")
          ? "released"
          : original.release(reference, wanted);
      },
    }),
  },
  "knows requirements of any order": {
    finds: "does not know the requirements of an unknown order",
    fault: (_, original) => ({ requirementsOf: (reference) => original.requirementsOf(reference) ?? [] }),
  },
};
