import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { buttonClass } from "../components/Button.tsx";
import { CountryField } from "../components/CountryField.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { Page } from "../components/Page.tsx";
import { Section } from "../components/Section.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { RowSkeletons } from "../numbers/RowSkeletons.tsx";
import { withSession } from "../session/session.ts";
import { type OpenPlace, useOpenPlace } from "../shell/use-place.ts";
import { useTitle } from "../shell/use-title.ts";
import { settingsText } from "./settings-text.ts";

/** Settings of an organisation. */
export function SettingsPage() {
  useTitle(settingsText.title);
  const place = useOpenPlace();
  return (
    <Page
      title={settingsText.title}
      asCode={() => [
        { operation: "getOwnOrganisation" },
        { operation: "changeOwnOrganisation", body: { default_country: "DE" } },
      ]}
    >
      <DefaultCountry place={place} />
      <Section title={settingsText.ordering}>
        <ul className="divide-y divide-line rounded-lg border border-line">
          <SubPage
            place={place}
            to="/o/$organisation/$environment/evidence"
            title={settingsText.evidence}
            says={settingsText.evidenceHint}
          />
        </ul>
      </Section>
      <Section title={settingsText.signIn}>
        <ul className="divide-y divide-line rounded-lg border border-line">
          {place.role === "owner" && (
            <SubPage
              place={place}
              to="/o/$organisation/$environment/identity-providers"
              title={settingsText.singleSignOn}
              says={settingsText.singleSignOnHint}
            />
          )}
          <SubPage
            place={place}
            to="/o/$organisation/$environment/sign-in-policy"
            title={settingsText.signInPolicy}
            says={settingsText.signInPolicyHint}
          />
        </ul>
      </Section>
    </Page>
  );
}

function DefaultCountry({ place }: { place: OpenPlace }) {
  const { organisation, environment, client } = place;
  const queryKey = [organisation, environment, "organisation-settings"];
  const queries = useQueryClient();
  const settings = useQuery({
    queryKey,
    queryFn: ({ signal }) => withSession(() => client.organisation.get({ signal })),
  });
  const save = useMutation({
    mutationFn: (country: string | null) =>
      withSession(() => client.organisation.change({ default_country: country })),
    onSuccess: (changed) => {
      queries.setQueryData(queryKey, changed);
      tellDone(settingsText.saved);
    },
  });
  if (settings.error) return <FailureNotice error={settings.error} />;
  if (!settings.data) return <RowSkeletons count={1} />;
  return (
    <CountryField
      label={settingsText.defaultCountry}
      hint={settingsText.defaultCountryHint}
      anyLabel={settingsText.noCountry}
      className="max-w-sm"
      value={settings.data.default_country ?? ""}
      disabled={save.isPending}
      onChange={({ target }) => save.mutate(target.value || null)}
    />
  );
}

interface SubPageProps {
  place: OpenPlace;
  to: `/o/$organisation/$environment/${"evidence" | "identity-providers" | "sign-in-policy"}`;
  title: string;
  says: string;
}

function SubPage({ place: { organisation, environment }, to, title, says }: SubPageProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 grow">
        <p className="font-name">{title}</p>
        <p className="text-xs text-ink-2">{says}</p>
      </div>
      <Link to={to} params={{ organisation, environment }} className={buttonClass("plain", "small")}>
        {settingsText.open} <span className="sr-only">{title}</span>
      </Link>
    </li>
  );
}
