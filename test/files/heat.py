# -*- coding: iso-8859-1 -*-
# Größe der Wohnung
def heat(kwh=0.27):
    return "Übergabe %d" % (kwh * 48213)
