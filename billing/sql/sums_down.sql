DROP TRIGGER billing_units_come_to ON billing_unitentry;
DROP FUNCTION billing_units_come_to();
DROP TRIGGER billing_costs_come_to ON billing_costentry;
DROP FUNCTION billing_costs_come_to();
