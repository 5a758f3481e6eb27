-- The tests' way back to the base seed: `seed.snapshot()` copies every table once, `seed.restore()` brings the copies back.
-- Tables are filled in the order of their creation, so that each row finds the rows that it references.
CREATE SCHEMA seed;

CREATE VIEW seed.tables AS
  SELECT relname AS name, oid AS created FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace;

CREATE FUNCTION seed.snapshot() RETURNS void LANGUAGE plpgsql AS $$
DECLARE item record;
BEGIN
  FOR item IN SELECT name FROM seed.tables LOOP
    EXECUTE format('CREATE TABLE seed.%I AS TABLE public.%I', item.name, item.name);
  END LOOP;
  PERFORM seed.set_sequences();
END $$;

CREATE FUNCTION seed.restore() RETURNS void LANGUAGE plpgsql AS $$
DECLARE item record;
BEGIN
  FOR item IN SELECT name FROM seed.tables ORDER BY created DESC LOOP
    EXECUTE format('DELETE FROM public.%I', item.name);
  END LOOP;
  FOR item IN SELECT name FROM seed.tables ORDER BY created LOOP
    EXECUTE format('INSERT INTO public.%I SELECT * FROM seed.%I', item.name, item.name);
  END LOOP;
  PERFORM seed.set_sequences();
END $$;

-- The next generated id is always the highest seeded one plus one.
CREATE FUNCTION seed.set_sequences() RETURNS void LANGUAGE plpgsql AS $$
DECLARE item record;
BEGIN
  FOR item IN
    SELECT name, pg_get_serial_sequence(format('public.%I', name), 'id') AS sequence
    FROM seed.tables JOIN information_schema.columns ON table_schema = 'public' AND table_name = name AND column_name = 'id'
  LOOP
    CONTINUE WHEN item.sequence IS NULL;
    EXECUTE format('SELECT setval(%L, coalesce(max(id), 0) + 1, false) FROM public.%I', item.sequence, item.name);
  END LOOP;
END $$;
