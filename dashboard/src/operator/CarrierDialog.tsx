import type { Carrier } from "@dialplane/sdk/operator";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useForm, type UseFormReturn } from "react-hook-form";
import { COUNTRIES } from "../components/countries.ts";
import { CheckField } from "../components/CheckField.tsx";
import { FormDialog } from "../components/FormDialog.tsx";
import { SelectField } from "../components/SelectField.tsx";
import { SeveralField } from "../components/SeveralField.tsx";
import { sharedText, wordFor } from "../components/shared-text.ts";
import { TextField } from "../components/TextField.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { useFieldErrors } from "../components/use-field-errors.ts";
import { operator } from "../session/client.ts";
import { withSession } from "../session/session.ts";
import { carrierChangeOf, type CarrierValues, newCarrierOf, NUMBER_TYPES, valuesOf } from "./carrier-form.ts";
import { carriersList } from "./carriers-list.ts";
import { carriersText } from "./carriers-text.ts";

/** A single field has all credentials. */
const toField = (path: readonly string[]): readonly string[] =>
  path[0] === "credentials" ? ["credential"] : path.slice(0, 1);

/** Connects a carrier, or edits one. */
export function CarrierDialog({ one, onClose }: { one?: Carrier; onClose(): void }) {
  const queries = useQueryClient();
  const form = useForm<CarrierValues>({ defaultValues: valuesOf(one) });
  const save = useMutation({
    mutationFn: (values: CarrierValues) =>
      withSession(() =>
        one
          ? operator.carriers.change(one.id, carrierChangeOf(values, one))
          : operator.carriers.create(newCarrierOf(values)),
      ),
    meta: { isShownInPlace: true },
    onSuccess: async ({ name }) => {
      tellDone(one ? carriersText.saved(name) : carriersText.connected(name));
      onClose();
      await queries.invalidateQueries({ queryKey: carriersList.queryKey });
    },
  });
  useFieldErrors(form, save.error, { toField });
  const kind = form.watch("kind");
  return (
    <FormDialog
      onClose={onClose}
      title={one ? carriersText.editOf(one.name) : carriersText.connect}
      action={one ? sharedText.save : carriersText.connectAction}
      mutation={save}
      onSubmit={form.handleSubmit((values) => save.mutate(values))}
    >
      {!one && (
        <SelectField label={carriersText.kind} {...form.register("kind")}>
          <option value="telnyx">{carriersText.kinds.telnyx}</option>
          <option value="didww">{carriersText.kinds.didww}</option>
          <option value="http">{carriersText.kinds.http}</option>
          <option value="pool">{carriersText.kinds.pool}</option>
        </SelectField>
      )}
      {kind !== "pool" && <AccountFields form={form} one={one} kind={kind} />}
      <ServedFields form={form} />
    </FormDialog>
  );
}

type Form = UseFormReturn<CarrierValues>;

interface Account {
  form: Form;
  one: Carrier | undefined;
  kind: "telnyx" | "didww" | "http";
}

function AccountFields({ form, one, kind }: Account) {
  const { errors } = form.formState;
  return (
    <>
      {!one && (
        <TextField
          label={sharedText.name}
          hint={carriersText.nameHint}
          maxLength={40}
          error={errors.name?.message}
          {...form.register("name", { validate: (name) => name.trim() !== "" || sharedText.nameRequired })}
        />
      )}
      <TextField
        label={carriersText.credential[kind]}
        type="password"
        autoComplete="off"
        hint={one?.credentials && carriersText.credentialStored(kind, one.credentials.ends_with)}
        error={errors.credential?.message}
        {...form.register("credential", {
          validate: (given) =>
            one !== undefined || given.trim() !== "" || carriersText.credentialRequired[kind],
        })}
      />
      <TextField
        label={carriersText.url}
        hint={carriersText.urlHint[kind]}
        maxLength={500}
        error={errors.url?.message}
        {...form.register("url")}
      />
    </>
  );
}

const COUNTRY_OPTIONS = COUNTRIES.map(({ code, name }) => ({ value: code, label: name }));
const TYPE_OPTIONS = NUMBER_TYPES.map((value) => ({ value, label: wordFor(value) }));

function ServedFields({ form }: { form: Form }) {
  const { errors } = form.formState;
  return (
    <>
      <SeveralField
        label={carriersText.countries}
        hint={carriersText.countriesHint}
        addLabel={carriersText.countryAdd}
        error={errors.countries?.message}
        options={COUNTRY_OPTIONS}
        value={form.watch("countries")}
        onChange={(countries) => form.setValue("countries", countries)}
      />
      <SeveralField
        label={carriersText.types}
        hint={carriersText.typesHint}
        addLabel={carriersText.typeAdd}
        error={errors.number_types?.message}
        options={TYPE_OPTIONS}
        value={form.watch("number_types")}
        onChange={(types) => form.setValue("number_types", types)}
      />
      <TextField
        label={carriersText.preference}
        hint={carriersText.preferenceHint}
        inputMode="numeric"
        error={errors.preference?.message}
        {...form.register("preference", {
          validate: (written) => /^\d{1,7}$/.test(written) || carriersText.preferenceInvalid,
        })}
      />
      <CheckField label={carriersText.inventory} {...form.register("inventory")} />
    </>
  );
}
