import { openCompanyProvider } from "../../../testing/company-provider.ts";
import type { Sent } from "../../../testing/send.ts";
import { browser, type Service } from "../../../testing/service.ts";
import { changePolicy, openCompany, strongPerson } from "../../../testing/sign-in-policies.ts";

/** A request that produces each code about sign-in policies. */
export function refusedPolicies(service: () => Service) {
  const policed = async (policy: object) => {
    const organisation = await service().organisation();
    const owner = await strongPerson(service(), { [organisation]: "owner" });
    await changePolicy(service(), owner, policy);
    return service().person({ [organisation]: "member" });
  };
  const withCompany = async () => {
    const company = await openCompanyProvider();
    const opened = await openCompany(service(), company);
    await changePolicy(service(), opened.owner, { require_single_sign_on: true });
    return opened;
  };
  const listNumbers = ({ cookie }: { cookie: string }): Promise<Sent> =>
    service().send("GET", "/v1/numbers", { headers: browser(cookie) });

  return {
    organisation_second_factor_required: async (): Promise<Sent> =>
      listNumbers(await policed({ require_second_factor: true })),
    single_sign_on_required: async (): Promise<Sent> => listNumbers((await withCompany()).member),
    session_too_old: async (): Promise<Sent> => {
      const member = await policed({ max_session_age_hours: 1 });
      await service().database.admin(
        "update sessions set created_at = created_at - interval '2 hours', signed_in_at = null where user_id = $1",
        [member.userId],
      );
      return listNumbers(member);
    },
    stronger_session_required: async (): Promise<Sent> => {
      const { cookie } = (await withCompany()).member;
      return service().send("POST", "/v1/me/authenticator", { headers: browser(cookie) });
    },
    sign_in_policy_not_met: async (): Promise<Sent> => {
      const owner = await service().person({ [await service().organisation()]: "owner" });
      return changePolicy(service(), owner, { require_second_factor: true });
    },
    single_sign_on_in_use: async (): Promise<Sent> => {
      const { owner, providerId } = await withCompany();
      return service().send("DELETE", `/v1/identity-providers/${providerId}`, {
        headers: browser(owner.cookie),
      });
    },
  };
}
