INSERT INTO rent (month, eur) VALUES ('Μάιος', 640.00), ('Ιούνιος', 641.25);
