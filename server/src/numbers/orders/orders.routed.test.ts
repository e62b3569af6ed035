import { expect, test } from "vitest";
import { openOrderDesk } from "../../../testing/order-desk.ts";

const ROUTING = { mode: "sip_uri", sip_uri: "sip:desk@93.184.216.34" };

test("orders of several organisations that set a routing at once never wait for each other in a circle", async () => {
  await using desk = await openOrderDesk();
  const people = await Promise.all(
    Array.from({ length: 6 }, async () =>
      desk.service.person({ [await desk.service.organisation()]: "owner" }),
    ),
  );
  for (let round = 0; round < 2; round++) {
    const placed = await Promise.all(
      people.map((person) => desk.post({ numbers: desk.stock(60), routing: ROUTING }, person)),
    );
    await Promise.all(placed.map(({ body }) => desk.advance(body)));

    const orders = await Promise.all(placed.map(({ body }, at) => desk.read(body.id, people[at])));
    expect(orders.map(({ status }) => status)).toEqual(people.map(() => "completed"));
  }
});
