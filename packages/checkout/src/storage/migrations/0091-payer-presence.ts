import { statements } from './statements.ts';

export const payerPresence = statements([
  // How a flow reaches the payer: on our page, through a redirect of the merchant's own, or not at all.
  `ALTER TABLE sessions ADD COLUMN payer_presence text NOT NULL DEFAULT 'page' CHECK (payer_presence IN ('page', 'merchant', 'none'))`,
  `UPDATE sessions SET payer_presence = 'none' WHERE NOT has_page`,
  `ALTER TABLE sessions ALTER COLUMN payer_presence DROP DEFAULT`,
  // A process of an earlier version on the same database writes and reads has_page. It is kept in step until a later migration drops it.
  `CREATE FUNCTION keep_has_page() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.payer_presence IS NULL THEN
        NEW.payer_presence := CASE WHEN NEW.has_page THEN 'page' ELSE 'none' END;
      END IF;
      NEW.has_page := NEW.payer_presence = 'page';
      RETURN NEW;
    END $$`,
  `CREATE TRIGGER sessions_keep_has_page BEFORE INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION keep_has_page()`,
]);
