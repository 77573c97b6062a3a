import { useState } from "react";

/** A form of something that is stored, and whether it differs from that. */
export interface StoredForm<T, F> {
  /** What the form began with: it is still stored, or someone else has changed it since. */
  base: T;
  form: F;
  setForm: (form: F) => void;
  isDirty: boolean;
  /** Begins again with what is stored now. */
  take: (current: T) => void;
  /** Leaves the form as it is, and compares it with what is stored now. */
  keep: (current: T) => void;
}

/** Holds a form of something that others may change, too. Their changes are shown as long as nothing here would be lost by it. */
export function useStoredForm<T, F>(stored: T, formOf: (stored: T) => F): StoredForm<T, F> {
  const [base, setBase] = useState(stored);
  const [form, setForm] = useState(() => formOf(stored));
  const isDirty = isDifferent(form, formOf(base));
  const take = (current: T) => {
    setBase(current);
    setForm(formOf(current));
  };
  if (!isDirty && isDifferent(base, stored)) take(stored);
  return { base, form, setForm, isDirty, take, keep: setBase };
}

/** The same, and how it is saved. Choosing what becomes of a conflict ends it. */
export function useSavedForm<T, F, S extends { reset: () => void }>(
  stored: T,
  formOf: (stored: T) => F,
  useSave: (base: T) => S,
): StoredForm<T, F> & { save: S } {
  const held = useStoredForm(stored, formOf);
  const save = useSave(held.base);
  const take = (current: T) => {
    held.take(current);
    save.reset();
  };
  const keep = (current: T) => {
    held.keep(current);
    save.reset();
  };
  return { ...held, take, keep, save };
}

function isDifferent(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) !== JSON.stringify(other);
}
